#include "tools/insight/DocumentJson.h"

#include "compiler/spec/ValueText.h"
#include "tools/insight/InsightJson.h"
#include "tools/insight/JsonParts.h"
#include "tools/insight/RunJson.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::explain {

using llvm::json::OStream;

namespace {

/// Writes one document.
class Writer : JsonParts {
public:
  Writer(OStream &json, const Document &document) : JsonParts(json), document(document) {}
  void write();

private:
  void tool();
  void kernel();
  void sources();
  void code();
  void remark(const PlacedRemark &placed);
  void loop(const insight::Loop &loop);
  void resources(const Resources &resources, bool hasPieces);
  void occupancy(const Occupancy &occupancy);
  void finding(const Finding &finding);
  void measured(const Measured &measured);

  const Document &document;
};

void Writer::tool() {
  json.attributeObject("tool", [&] {
    text("version", document.version);
    text("llvm", document.llvm);
    if (!document.assembler.empty())
      text("assembler", document.assembler);
  });
}

void Writer::kernel() {
  json.attributeObject("kernel", [&] {
    text("file", document.file);
    text("name", document.kernel);
    number("line", document.line);
    json.attributeObject("spec", [&] {
      text("arch", document.spec.target);
      number("warps", document.spec.warps());
      number("stages", document.spec.stages());
      json.attributeObject("constexprs", [&] {
        for (const auto &[name, arg] : document.spec.args)
          if (auto *bound = std::get_if<BoundValue>(&arg))
            text(name, valueText(*bound));
      });
      json.attributeObject("signature", [&] {
        for (const auto &[name, arg] : document.spec.args)
          if (auto *runtime = std::get_if<RuntimeArg>(&arg))
            text(name, formatArgType(*runtime));
      });
      if (document.grid)
        row("grid", *document.grid);
    });
    text("specFrom", document.specFrom);
    if (!document.guessed.empty())
      json.attributeArray("guessed", [&] {
        for (const std::string &name : document.guessed)
          json.value(name);
      });
  });
}

void Writer::sources() {
  objects("files", document.files, [&](const File &file) {
    text("path", file.path);
    if (file.text)
      text("text", *file.text);
  });
  json.attributeArray("places", [&] {
    for (const insight::Place &place : document.insight.places)
      tuple({place.file, place.line, place.column, place.endLine, place.endColumn, place.callSite});
  });
}

void Writer::code() {
  json.attributeObject("ptx", [&] {
    text("text", document.ptx);
    spans(document.ptxSpans);
  });
  if (document.sass)
    json.attributeObject("sass", [&] {
      if (!document.sass->text.empty())
        text("text", document.sass->text);
      row("addresses", document.sass->addresses);
      row("ptxLines", document.sass->ptxLines);
    });
}

void Writer::remark(const PlacedRemark &placed) {
  const Remark &remark = placed.remark;
  text("kind", remarkKindName(remark.kind));
  text("pass", remark.pass);
  text("name", remark.name);
  number("place", placed.place);
  text("text", remark.text);
  for (const RemarkArgument &argument : remark.arguments)
    if (argument.key == "Reason")
      text("reason", argument.value);
  if (!remark.causes.empty()) {
    row("cause", placed.causes);
    std::string causes;
    for (const RemarkCause &cause : remark.causes)
      causes += (causes.empty() ? "" : "; ") + cause.text;
    text("causeText", causes);
  }
  if (!remark.fix.empty())
    json.attributeObject("fix", [&] { text("text", remark.fix); });
  if (remark.isNothingToDo)
    json.attribute("nothingToDo", true);
  json.attributeObject("metrics", [&] {
    for (size_t i = 0; i < remark.arguments.size(); ++i) {
      const auto sameKey = [&](const RemarkArgument &other) { return other.key == remark.arguments[i].key; };
      // A key may come twice, which an object cannot.
      if (remark.arguments[i].key != "Reason" &&
          std::find_if(remark.arguments.begin(), remark.arguments.begin() + long(i), sameKey) ==
              remark.arguments.begin() + long(i))
        text(remark.arguments[i].key, remark.arguments[i].value);
    }
  });
}

void Writer::loop(const insight::Loop &loop) {
  number("place", loop.place);
  number("stage", loop.stage);
  number("textLine", loop.textLine);
  number("stages", loop.stages);
  for (const PlacedRemark &placed : document.remarks)
    if (placed.place != None && placed.place == loop.place && placed.remark.kind == Remark::Missed &&
        placed.remark.name == "pipeline") {
      text("obstacle", placed.remark.text);
      break;
    }
  objects("buffers", loop.buffers, [&](const insight::LoopBuffer &buffer) {
    number("place", buffer.place);
    text("ssa", buffer.ssa);
    number("slots", buffer.slots);
    number("bytes", buffer.bytes);
  });
  json.attributeArray("ops", [&] {
    for (size_t i = 0; i < loop.steps.size(); ++i)
      json.array([&] {
        json.value(int64_t(loop.steps[i].place));
        json.value(loop.steps[i].kind);
        json.value(int64_t(loop.steps[i].textLine));
        json.value(int64_t(i));
        json.value(int64_t(loop.steps[i].group));
        json.value(loop.steps[i].op);
      });
  });
  objects("groups", loop.groups, [&](const insight::WarpGroup &group) {
    text("name", group.role);
    number("firstWarp", group.firstWarp);
    number("warps", group.warps);
    if (group.registers)
      number("registers", group.registers);
  });
  objects("signals", loop.signals, [&](const insight::LoopSignal &signal) {
    number("from", signal.from);
    number("to", signal.to);
    text("kind", signal.kind);
    number("later", signal.later);
  });
}

void Writer::occupancy(const Occupancy &occupancy) {
  json.attributeObject("occupancy", [&] {
    number("blocks", occupancy.blocks);
    json.attributeArray("limiters", [&] {
      for (const std::string &name : occupancy.limiters)
        json.value(name);
    });
    json.attributeObject("limits", [&] {
      for (const auto &[name, blocks] : occupancy.limits)
        number(name, blocks);
    });
    json.attributeObject("nextBlock", [&] {
      for (const auto &[name, less] : occupancy.nextBlock)
        number(name, less);
    });
  });
}

void Writer::resources(const Resources &resources, bool hasPieces) {
  json.attributeObject("resources", [&] {
    if (resources.assembled) {
      number("registers", resources.assembled->registers);
      number("spillStoreBytes", resources.assembled->spillStoreBytes);
      number("spillLoadBytes", resources.assembled->spillLoadBytes);
      number("stackBytes", resources.assembled->stackBytes);
    }
    if (resources.barriers)
      number("barriers", *resources.barriers);
    if (resources.registerLimit)
      number("registerLimit", resources.registerLimit);
    number("threads", resources.threads);
    number("sharedBytes", resources.sharedBytes);
    number("sharedLimit", resources.sharedLimit);
    const std::vector<insight::SharedPiece> none;
    objects("shared", hasPieces ? document.insight.shared : none, [&](const insight::SharedPiece &piece) {
      text("what", piece.what);
      number("offset", piece.offset);
      number("bytes", piece.bytes);
      number("from", piece.from);
      number("to", piece.to);
      number("place", piece.place);
    });
    occupancy(resources.occupancy);
  });
}

void Writer::measured(const Measured &measured) {
  text("device", measured.device);
  number("launches", measured.launches);
  json.attributeArray("nsQuantiles", [&] {
    for (const double one : measured.nsQuantiles)
      json.value(one);
  });
  if (!measured.counts)
    return text("whyNoCounts", measured.whyNoCounts);
  json.attributeObject("counts", [&] {
    const DeviceCounts &counts = *measured.counts;
    text("from", counts.from);
    number("instructions", counts.instructions);
    number("loadSectors", counts.loadSectors);
    number("storeSectors", counts.storeSectors);
    number("bankConflicts", counts.bankConflicts);
    number("dramBytesRead", counts.dramBytesRead);
    number("dramBytesWritten", counts.dramBytesWritten);
  });
}

void Writer::finding(const Finding &finding) {
  text("kind", findingName(finding.kind));
  number("place", finding.place);
  text("text", finding.text);
  if (!finding.unit.empty()) {
    number("cost", finding.cost);
    number("least", finding.least);
    text("unit", finding.unit);
  }
  if (!finding.because.empty())
    text("because", finding.because);
  if (!finding.cause.empty())
    row("cause", finding.cause);
  if (!finding.change.empty())
    text("change", finding.change);
}

void Writer::write() {
  json.object([&] {
    text("schema", schemaName);
    tool();
    kernel();
    sources();
    writeInsight(json, document.insight);
    code();
    objects("remarks", document.remarks, [&](const PlacedRemark &one) { remark(one); });
    objects("loops", document.insight.loops, [&](const insight::Loop &one) { loop(one); });
    resources(document.resources, true);
    writeRun(json, document);
    objects("findings", document.findings, [&](const Finding &one) { finding(one); });
    objects("configs", document.configs, [&](const ConfigReport &config) {
      number("number", config.number);
      text("text", config.text);
      if (!config.error.empty())
        text("error", config.error);
      if (config.resources)
        resources(*config.resources, false);
    });
    if (document.measured)
      json.attributeObject("measured", [&] { measured(*document.measured); });
  });
}

} // namespace

std::string documentJson(const Document &document) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream json(stream);
  Writer(json, document).write();
  stream << '\n';
  return text;
}

} // namespace tegula::explain
