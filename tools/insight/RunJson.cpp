#include "tools/insight/RunJson.h"

#include "tools/insight/CounterColumns.h"
#include "tools/insight/JsonParts.h"

namespace tegula::explain {

using llvm::json::OStream;

namespace {

/// Writes what a run counted.
class RunWriter : JsonParts {
public:
  RunWriter(OStream &json, const Document &document) : JsonParts(json), document(document) {}
  void write();

private:
  void access(const Access &access);
  void counters();
  void events();
  void roofline();

  const Document &document;
};

void RunWriter::access(const Access &access) {
  number("place", access.place);
  number("ptxLine", access.ptxLine);
  text("space", access.isShared ? "shared" : "global");
  text("op", access.isStore ? "store" : "load");
  number("bytesPerLane", access.bytesPerLane);
  number("requests", access.requests);
  number("units", access.units);
  number("unitsLeast", access.unitsLeast);
  objects("patterns", access.patterns, [&](const runtime::AccessPattern &pattern) {
    number("count", pattern.count);
    number("mask", pattern.mask);
    number("alignment", pattern.alignment);
    row("offsets", pattern.offsets);
  });
}

/// The counters in the order of their columns.
static std::vector<uint64_t> columnsOf(const runtime::Counters &counters) {
  std::vector<uint64_t> values;
  for (const auto &[name, member] : counterColumns)
    values.push_back(counters.*member);
  return values;
}

void RunWriter::counters() {
  const Run &run = *document.run;
  json.attributeObject("counters", [&] {
    text("device", run.device);
    number("launches", run.report.launches);
    number("blocks", run.report.blocks);
    json.attributeArray("columns", [&] {
      for (const auto &[name, member] : counterColumns)
        json.value(name);
    });
    json.attributeArray("perPtxLine", [&] {
      for (const runtime::InstructionProfile &instruction : run.profile.instructions) {
        std::vector<uint64_t> numbers = columnsOf(instruction.counters);
        numbers.insert(numbers.begin(), instruction.line);
        row(numbers);
      }
    });
    row("total", columnsOf(run.report.total));
  });
}

void RunWriter::events() {
  const runtime::KernelProfile &profile = document.run->profile;
  json.attributeObject("events", [&] {
    row("block", profile.followed);
    json.attributeArray("kinds", [&] {
      for (const std::string &kind : profile.eventKinds)
        json.value(kind);
    });
    json.attributeArray("log", [&] {
      for (const runtime::BlockEvent &event : profile.events)
        tuple({event.warp, int64_t(event.step), event.kind, event.line});
    });
    number("dropped", profile.eventsDropped);
  });
}

void RunWriter::roofline() {
  const Roofline &roofline = *document.roofline;
  json.attributeObject("roofline", [&] {
    json.attributeObject("flops", [&] {
      for (const auto &[kind, count] : roofline.flops)
        number(kind, count);
    });
    number("bytesMoved", roofline.bytesMoved);
    number("bytesLeast", roofline.bytesLeast);
    if (roofline.peaks)
      json.attributeObject("peak", [&] {
        text("from", roofline.peaks->from);
        json.attribute("bytesPerSecond", roofline.peaks->bytesPerSecond);
        json.attributeObject("flopsPerSecond", [&] {
          for (const auto &[kind, peak] : roofline.peaks->flopsPerSecond)
            json.attribute(kind, peak);
        });
      });
  });
}

void RunWriter::write() {
  const std::vector<Access> none;
  objects("accesses", document.run ? document.run->accesses : none, [&](const Access &one) { access(one); });
  if (document.run) {
    counters();
    events();
  }
  if (document.roofline)
    roofline();
}

} // namespace

void writeRun(OStream &json, const Document &document) { RunWriter(json, document).write(); }

} // namespace tegula::explain
