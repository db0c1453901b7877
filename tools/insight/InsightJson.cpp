#include "tools/insight/InsightJson.h"

#include "tools/insight/JsonParts.h"

namespace tegula::explain {

using llvm::json::OStream;

namespace {

/// Writes the tables of one compilation.
class InsightWriter : JsonParts {
public:
  InsightWriter(OStream &json, const insight::Insight &insight) : JsonParts(json), told(insight) {}
  void write();

private:
  void stages();
  void layouts();
  void value(const insight::Value &value);
  void conversions();
  void pressure();

  const insight::Insight &told;
};

void InsightWriter::stages() {
  objects("stages", told.stages, [&](const insight::StageText &stage) {
    text("name", stage.name);
    text("text", stage.text);
    spans(stage.spans);
  });
}

void InsightWriter::layouts() {
  const auto axes = [&](llvm::StringRef key, const std::vector<insight::LayoutAxis> &all) {
    json.attributeArray(key, [&] {
      for (const insight::LayoutAxis &axis : all)
        json.array([&] {
          json.value(axis.name);
          json.value(int64_t(axis.bits));
        });
    });
  };
  objects("layouts", told.layouts, [&](const insight::Layout &layout) {
    axes("ins", layout.ins);
    axes("outs", layout.outs);
    json.attributeArray("bases", [&] {
      for (const std::vector<int32_t> &basis : layout.bases)
        row(basis);
    });
  });
}

void InsightWriter::value(const insight::Value &value) {
  if (!value.name.empty())
    text("name", value.name);
  text("ssa", value.ssa);
  text("op", value.op);
  number("place", value.place);
  number("stage", value.stage);
  number("textLine", value.textLine);
  text("dtype", value.dtype);
  row("shape", value.shape);
  number("layout", value.layout);
  number("registers", value.registers);
  if (value.facts)
    json.attributeObject("facts", [&] {
      row("contiguous", value.facts->contiguous);
      row("divisible", value.facts->divisible);
      row("constancy", value.facts->constancy);
      if (value.facts->constant)
        number("constant", *value.facts->constant);
    });
}

void InsightWriter::conversions() {
  json.attributeArray("conversions", [&] {
    for (const insight::Conversion &one : told.conversions)
      json.array([&] {
        for (const int64_t part : {int64_t(one.place), int64_t(one.stage), int64_t(one.textLine),
                                   int64_t(one.from), int64_t(one.to)})
          json.value(part);
        json.value(one.route);
      });
  });
}

void InsightWriter::pressure() {
  const insight::Pressure &pressure = told.pressure;
  if (pressure.stage == insight::None)
    return;
  json.attributeObject("pressure", [&] {
    number("stage", pressure.stage);
    json.attributeArray("rows", [&] {
      for (const insight::PressureRow &one : pressure.rows)
        tuple({one.textLine, one.registers});
    });
    json.attributeObject("peak", [&] {
      number("textLine", pressure.peak.textLine);
      number("registers", pressure.peak.registers);
      number("place", pressure.peak.place);
      json.attributeArray("holders", [&] {
        for (const auto &[value, registers] : pressure.peak.holders)
          tuple({value, registers});
      });
    });
  });
}

void InsightWriter::write() {
  stages();
  layouts();
  objects("values", told.values, [&](const insight::Value &one) { value(one); });
  conversions();
  pressure();
}

} // namespace

void writeInsight(OStream &json, const insight::Insight &insight) { InsightWriter(json, insight).write(); }

} // namespace tegula::explain
