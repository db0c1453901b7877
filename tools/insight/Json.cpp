#include "tools/insight/Json.h"

#include "tools/insight/CounterColumns.h"

namespace tegula::explain {

namespace {

void writeStages(Json &json, const insight::Insight &insight) {
  json.objects("stages", insight.stages, [&](const insight::StageText &stage) {
    json.text("name", stage.name);
    json.text("text", stage.text);
    json.spans(stage.spans);
  });
}

void writeLayouts(Json &json, const insight::Insight &insight) {
  const auto axes = [&](llvm::StringRef key, const std::vector<insight::LayoutAxis> &all) {
    json.attributeArray(key, [&] {
      for (const insight::LayoutAxis &axis : all)
        json.array([&] {
          json.value(axis.name);
          json.value(int64_t(axis.bits));
        });
    });
  };
  json.objects("layouts", insight.layouts, [&](const insight::Layout &layout) {
    axes("ins", layout.ins);
    axes("outs", layout.outs);
    json.attributeArray("bases", [&] {
      for (const std::vector<int32_t> &basis : layout.bases)
        json.row(basis);
    });
  });
}

void writeValue(Json &json, const insight::Value &value) {
  if (!value.name.empty())
    json.text("name", value.name);
  json.text("ssa", value.ssa);
  json.text("op", value.op);
  json.number("place", value.place);
  json.number("stage", value.stage);
  json.number("textLine", value.textLine);
  json.text("dtype", value.dtype);
  json.row("shape", value.shape);
  json.number("layout", value.layout);
  json.number("registers", value.registers);
  if (value.facts)
    json.attributeObject("facts", [&] {
      json.row("contiguous", value.facts->contiguous);
      json.row("divisible", value.facts->divisible);
      json.row("constancy", value.facts->constancy);
      if (value.facts->constant)
        json.number("constant", *value.facts->constant);
    });
}

void writeConversions(Json &json, const insight::Insight &insight) {
  json.attributeArray("conversions", [&] {
    for (const insight::Conversion &one : insight.conversions)
      json.array([&] {
        for (const int64_t part : {int64_t(one.place), int64_t(one.stage), int64_t(one.textLine),
                                   int64_t(one.from), int64_t(one.to)})
          json.value(part);
        json.value(one.route);
      });
  });
}

void writePressure(Json &json, const insight::Pressure &pressure) {
  if (pressure.stage == insight::None)
    return;
  json.attributeObject("pressure", [&] {
    json.number("stage", pressure.stage);
    json.attributeArray("rows", [&] {
      for (const insight::PressureRow &one : pressure.rows)
        json.tuple({one.textLine, one.registers});
    });
    json.attributeObject("peak", [&] {
      json.number("textLine", pressure.peak.textLine);
      json.number("registers", pressure.peak.registers);
      json.number("place", pressure.peak.place);
      json.attributeArray("holders", [&] {
        for (const auto &[value, registers] : pressure.peak.holders)
          json.tuple({value, registers});
      });
    });
  });
}

void writeAccess(Json &json, const Access &access) {
  json.number("place", access.place);
  json.number("ptxLine", access.ptxLine);
  json.text("space", access.isShared ? "shared" : "global");
  json.text("op", access.isStore ? "store" : "load");
  json.number("bytesPerLane", access.bytesPerLane);
  json.number("requests", access.requests);
  json.number("units", access.units);
  json.number("unitsLeast", access.unitsLeast);
  json.objects("patterns", access.patterns, [&](const runtime::AccessPattern &pattern) {
    json.number("count", pattern.count);
    json.number("mask", pattern.mask);
    json.number("alignment", pattern.alignment);
    json.row("offsets", pattern.offsets);
  });
}

/// The counters in the order of their columns.
std::vector<uint64_t> columnsOf(const runtime::Counters &counters) {
  std::vector<uint64_t> values;
  for (const auto &[name, member] : counterColumns)
    values.push_back(counters.*member);
  return values;
}

void writeCounters(Json &json, const Run &run) {
  json.attributeObject("counters", [&] {
    json.text("device", run.device);
    json.number("launches", run.report.launches);
    json.number("blocks", run.report.blocks);
    json.attributeArray("columns", [&] {
      for (const auto &[name, member] : counterColumns)
        json.value(name);
    });
    json.attributeArray("perPtxLine", [&] {
      for (const runtime::InstructionProfile &instruction : run.profile.instructions) {
        std::vector<uint64_t> numbers = columnsOf(instruction.counters);
        numbers.insert(numbers.begin(), instruction.line);
        json.row(numbers);
      }
    });
    json.row("total", columnsOf(run.report.total));
  });
}

void writeEvents(Json &json, const runtime::KernelProfile &profile) {
  json.attributeObject("events", [&] {
    json.row("block", profile.followed);
    json.texts("kinds", profile.eventKinds);
    json.attributeArray("log", [&] {
      for (const runtime::BlockEvent &event : profile.events)
        json.tuple({event.warp, int64_t(event.step), event.kind, event.line});
    });
    json.number("dropped", profile.eventsDropped);
  });
}

void writeRoofline(Json &json, const Roofline &roofline) {
  json.attributeObject("roofline", [&] {
    json.numbers("flops", roofline.flops);
    json.number("bytesMoved", roofline.bytesMoved);
    json.number("bytesLeast", roofline.bytesLeast);
    if (roofline.peaks)
      json.attributeObject("peak", [&] {
        json.text("from", roofline.peaks->from);
        json.attribute("bytesPerSecond", roofline.peaks->bytesPerSecond);
        json.attributeObject("flopsPerSecond", [&] {
          for (const auto &[kind, peak] : roofline.peaks->flopsPerSecond)
            json.attribute(kind, peak);
        });
      });
  });
}

} // namespace

void writeInsight(Json &json, const insight::Insight &insight) {
  writeStages(json, insight);
  writeLayouts(json, insight);
  json.objects("values", insight.values, [&](const insight::Value &one) { writeValue(json, one); });
  writeConversions(json, insight);
  writePressure(json, insight.pressure);
}

void writeRun(Json &json, const Document &document) {
  const std::vector<Access> none;
  json.objects("accesses", document.run ? document.run->accesses : none,
               [&](const Access &one) { writeAccess(json, one); });
  if (document.run) {
    writeCounters(json, *document.run);
    writeEvents(json, document.run->profile);
  }
  if (document.roofline)
    writeRoofline(json, *document.roofline);
}

} // namespace tegula::explain
