#include "tools/insight/DocumentJson.h"

#include "compiler/spec/ValueText.h"
#include "tools/insight/Json.h"

#include "llvm/Support/raw_ostream.h"

#include <set>

namespace tegula::explain {

namespace {

void writeTool(Json &json, const Document &document) {
  json.attributeObject("tool", [&] {
    json.text("version", document.version);
    json.text("llvm", document.llvm);
    if (!document.assembler.empty())
      json.text("assembler", document.assembler);
  });
}

void writeKernel(Json &json, const Document &document) {
  json.attributeObject("kernel", [&] {
    json.text("file", document.file);
    json.text("name", document.kernel);
    json.number("line", document.line);
    json.attributeObject("spec", [&] {
      json.text("arch", document.spec.target);
      json.number("warps", document.spec.warps());
      json.number("stages", document.spec.stages());
      json.attributeObject("constexprs", [&] {
        for (const auto &[name, arg] : document.spec.args)
          if (auto *bound = std::get_if<BoundValue>(&arg))
            json.text(name, valueText(*bound));
      });
      json.attributeObject("signature", [&] {
        for (const auto &[name, arg] : document.spec.args)
          if (auto *runtime = std::get_if<RuntimeArg>(&arg))
            json.text(name, formatArgType(*runtime));
      });
      if (document.grid)
        json.row("grid", *document.grid);
    });
    json.text("specFrom", document.specFrom);
    if (!document.guessed.empty())
      json.texts("guessed", document.guessed);
  });
}

void writeSources(Json &json, const Document &document) {
  json.objects("files", document.files, [&](const File &file) {
    json.text("path", file.path);
    if (file.text)
      json.text("text", *file.text);
  });
  json.attributeArray("places", [&] {
    for (const insight::Place &place : document.insight.places)
      json.tuple({place.file, place.line, place.column, place.endLine, place.endColumn, place.callSite});
  });
}

void writeCode(Json &json, const Document &document) {
  json.attributeObject("ptx", [&] {
    json.text("text", document.ptx);
    json.spans(document.ptxSpans);
  });
  if (document.sass)
    json.attributeObject("sass", [&] {
      if (!document.sass->text.empty())
        json.text("text", document.sass->text);
      json.row("addresses", document.sass->addresses);
      json.row("ptxLines", document.sass->ptxLines);
    });
}

void writeRemark(Json &json, const PlacedRemark &placed) {
  const Remark &remark = placed.remark;
  json.text("kind", remarkKindName(remark.kind));
  json.text("pass", remark.pass);
  json.text("name", remark.name);
  json.number("place", placed.place);
  json.text("text", remark.text);
  for (const RemarkArgument &argument : remark.arguments)
    if (argument.key == "Reason")
      json.text("reason", argument.value);
  if (!remark.causes.empty()) {
    json.row("cause", placed.causes);
    std::string causes;
    for (const RemarkCause &cause : remark.causes)
      causes += (causes.empty() ? "" : "; ") + cause.text;
    json.text("causeText", causes);
  }
  if (!remark.fix.empty())
    json.attributeObject("fix", [&] { json.text("text", remark.fix); });
  if (remark.isNothingToDo)
    json.attribute("nothingToDo", true);
  json.attributeObject("metrics", [&] {
    std::set<std::string_view> seen; // a key may come twice, which an object cannot
    for (const RemarkArgument &argument : remark.arguments)
      if (argument.key != "Reason" && seen.insert(argument.key).second)
        json.text(argument.key, argument.value);
  });
}

void writeLoop(Json &json, const Document &document, const insight::Loop &loop) {
  json.number("place", loop.place);
  json.number("stage", loop.stage);
  json.number("textLine", loop.textLine);
  json.number("stages", loop.stages);
  for (const PlacedRemark &placed : document.remarks)
    if (placed.place != None && placed.place == loop.place && placed.remark.kind == Remark::Missed &&
        placed.remark.name == "pipeline") {
      json.text("obstacle", placed.remark.text);
      break;
    }
  json.objects("buffers", loop.buffers, [&](const insight::LoopBuffer &buffer) {
    json.number("place", buffer.place);
    json.text("ssa", buffer.ssa);
    json.number("slots", buffer.slots);
    json.number("bytes", buffer.bytes);
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
  json.objects("groups", loop.groups, [&](const insight::WarpGroup &group) {
    json.text("name", group.role);
    json.number("firstWarp", group.firstWarp);
    json.number("warps", group.warps);
    if (group.registers)
      json.number("registers", group.registers);
  });
  json.objects("signals", loop.signals, [&](const insight::LoopSignal &signal) {
    json.number("from", signal.from);
    json.number("to", signal.to);
    json.text("kind", signal.kind);
    json.number("later", signal.later);
  });
}

void writeOccupancy(Json &json, const Occupancy &occupancy) {
  json.attributeObject("occupancy", [&] {
    json.number("blocks", occupancy.blocks);
    json.texts("limiters", occupancy.limiters);
    json.numbers("limits", occupancy.limits);
    json.numbers("nextBlock", occupancy.nextBlock);
  });
}

/// Writes `resources` with the pieces that shared memory has, where they are known.
void writeResources(Json &json, const Resources &resources, const std::vector<insight::SharedPiece> &pieces) {
  json.attributeObject("resources", [&] {
    if (resources.assembled) {
      json.number("registers", resources.assembled->registers);
      json.number("spillStoreBytes", resources.assembled->spillStoreBytes);
      json.number("spillLoadBytes", resources.assembled->spillLoadBytes);
      json.number("stackBytes", resources.assembled->stackBytes);
    }
    if (resources.barriers)
      json.number("barriers", *resources.barriers);
    if (resources.registerLimit)
      json.number("registerLimit", resources.registerLimit);
    json.number("threads", resources.threads);
    json.number("sharedBytes", resources.sharedBytes);
    json.number("sharedLimit", resources.sharedLimit);
    json.objects("shared", pieces, [&](const insight::SharedPiece &piece) {
      json.text("what", piece.what);
      json.number("offset", piece.offset);
      json.number("bytes", piece.bytes);
      json.number("from", piece.from);
      json.number("to", piece.to);
      json.number("place", piece.place);
    });
    writeOccupancy(json, resources.occupancy);
  });
}

void writeMeasured(Json &json, const Measured &measured) {
  json.text("device", measured.device);
  json.number("launches", measured.launches);
  json.attributeArray("nsQuantiles", [&] {
    for (const double one : measured.nsQuantiles)
      json.value(one);
  });
  if (!measured.counts)
    return json.text("whyNoCounts", measured.whyNoCounts);
  json.attributeObject("counts", [&] {
    const DeviceCounts &counts = *measured.counts;
    json.text("from", counts.from);
    json.number("instructions", counts.instructions);
    json.number("loadSectors", counts.loadSectors);
    json.number("storeSectors", counts.storeSectors);
    json.number("bankConflicts", counts.bankConflicts);
    json.number("dramBytesRead", counts.dramBytesRead);
    json.number("dramBytesWritten", counts.dramBytesWritten);
  });
}

void writeFinding(Json &json, const Finding &finding) {
  json.text("kind", findingName(finding.kind));
  json.number("place", finding.place);
  json.text("text", finding.text);
  if (!finding.unit.empty()) {
    json.number("cost", finding.cost);
    json.number("least", finding.least);
    json.text("unit", finding.unit);
  }
  if (!finding.because.empty())
    json.text("because", finding.because);
  if (!finding.cause.empty())
    json.row("cause", finding.cause);
  if (!finding.change.empty())
    json.text("change", finding.change);
}

void writeDocument(Json &json, const Document &document) {
  json.object([&] {
    json.text("schema", schemaName);
    writeTool(json, document);
    writeKernel(json, document);
    writeSources(json, document);
    writeInsight(json, document.insight);
    writeCode(json, document);
    json.objects("remarks", document.remarks, [&](const PlacedRemark &one) { writeRemark(json, one); });
    json.objects("loops", document.insight.loops,
                 [&](const insight::Loop &one) { writeLoop(json, document, one); });
    writeResources(json, document.resources, document.insight.shared);
    writeRun(json, document);
    json.objects("findings", document.findings, [&](const Finding &one) { writeFinding(json, one); });
    json.objects("configs", document.configs, [&](const ConfigReport &config) {
      json.number("number", config.number);
      json.text("text", config.text);
      if (!config.error.empty())
        json.text("error", config.error);
      if (config.resources)
        writeResources(json, *config.resources, {});
    });
    if (document.measured)
      json.attributeObject("measured", [&] { writeMeasured(json, *document.measured); });
  });
}

} // namespace

std::string documentJson(const Document &document) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  Json json(stream);
  writeDocument(json, document);
  stream << '\n';
  return text;
}

} // namespace tegula::explain
