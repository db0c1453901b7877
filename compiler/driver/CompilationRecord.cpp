#include "compiler/driver/CompilationRecord.h"

#include "compiler/driver/BoundValueJson.h"
#include "dialect/tile/LoopSharing.h"

#include <fmt/format.h>

namespace tegula {

namespace json = llvm::json;

/// The line of `object`.
static std::string lineOf(json::Object object) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(object));
  return text + '\n';
}

static json::Object namesJson(const std::map<std::string, BoundValue> &names) {
  json::Object object;
  for (const auto &[name, value] : names)
    object[json::isUTF8(name) ? name : json::fixUTF8(name)] = toJson(value);
  return object;
}

std::string recordLine(const RecordedProgram &program, std::string_view id) {
  json::Object object{{"program", jsonText(id)}};
  if (program.isFile()) {
    json::Array folders;
    for (const std::string &folder : program.folders)
      folders.push_back(jsonText(folder));
    object["path"] = jsonText(program.path);
    object["text"] = jsonText(program.text);
    object["own_folder"] = program.searchesOwnFolder;
    object["folders"] = std::move(folders);
    object["values"] = namesJson(program.values);
    return lineOf(std::move(object));
  }
  json::Array units;
  for (const SourceUnit &unit : program.units)
    units.push_back(json::Object{{"path", jsonText(unit.path)},
                                 {"text", jsonText(unit.text)},
                                 {"line", int64_t(unit.firstLine)},
                                 {"names", namesJson(unit.names)}});
  object["units"] = std::move(units);
  object["entry"] = int64_t(program.entry);
  return lineOf(std::move(object));
}

std::string recordLine(const RecordedKernel &kernel) {
  const KernelSpec &spec = kernel.spec;
  json::Object args;
  for (const auto &[name, arg] : spec.args) {
    const auto *runtime = std::get_if<RuntimeArg>(&arg);
    // What is passed is a text, what is known stands in a list.
    args[name] = runtime ? json::Value(formatArgType(*runtime))
                         : json::Value(json::Array{toJson(std::get<BoundValue>(arg))});
  }
  json::Array without, parameters;
  for (Feature feature : spec.without)
    without.push_back(jsonText(featureName(feature)));
  for (const RecordedParameter &parameter : kernel.parameters)
    parameters.push_back(json::Array{jsonText(parameter.name), parameter.type});
  json::Object object{{"kernel", jsonText(spec.kernel)},
                      {"of", jsonText(kernel.program)},
                      {"target", spec.target},
                      {"version", spec.tritonVersion},
                      {"num_warps", int64_t(spec.numWarps)},
                      {"num_stages", int64_t(spec.numStages)},
                      {"args", std::move(args)},
                      {"parameters", std::move(parameters)}};
  // What most kernels do without says nothing where it is not there.
  if (spec.maxRegisters)
    object["max_registers"] = int64_t(spec.maxRegisters);
  if (spec.numCtas > 1)
    object["num_ctas"] = int64_t(spec.numCtas);
  for (const auto &[name, isSet] :
       {std::pair("debug", spec.debug), std::pair("no_overflow_checks", !spec.overflowChecks),
        std::pair("no_fp_fusion", !spec.fpFusion), std::pair("split_k", spec.splitK),
        std::pair("cooperative", kernel.cooperative), std::pair("programmatic", kernel.programmatic)})
    if (isSet)
      object[name] = true;
  for (const auto &[name, text] :
       {std::pair("dot_precision", &spec.dotPrecision), std::pair("entry_name", &kernel.entryName),
        std::pair("tile", &kernel.tile)})
    if (!text->empty())
      object[name] = jsonText(*text);
  if (!without.empty())
    object["without"] = std::move(without);
  json::Array libraries;
  for (const ExternLibrary &library : spec.externLibs)
    libraries.push_back(
        json::Array{jsonText(library.name), jsonText(library.path), jsonText(library.digest)});
  if (!libraries.empty())
    object["extern_libs"] = std::move(libraries);
  return lineOf(std::move(object));
}

std::string recordLine(const RecordedNote &note) {
  return lineOf(json::Object{{"note", jsonText(note.name)}, {"text", jsonText(note.text)}});
}

namespace {

/// Takes the members of a line; the first that is missing or wrong is kept in `wrong`.
struct LineReader {
  const json::Object &object;
  std::string wrong = {};

  void expect(bool isFine, std::string_view name) {
    if (!isFine && wrong.empty())
      wrong = fmt::format("`{}` is missing or wrong", name);
  }
  std::string text(llvm::StringRef name) {
    const std::optional<llvm::StringRef> held = object.getString(name);
    expect(held.has_value(), name);
    return held.value_or("").str();
  }
  std::string textOrEmpty(llvm::StringRef name) { return object.getString(name).value_or("").str(); }
  int64_t number(llvm::StringRef name, int64_t most) {
    const std::optional<int64_t> held = object.getInteger(name);
    expect(held && *held >= 0 && *held <= most, name);
    return held.value_or(0);
  }
  bool flag(llvm::StringRef name) { return object.getBoolean(name).value_or(false); }
  const json::Array &list(llvm::StringRef name) {
    static const json::Array none;
    const json::Array *held = object.getArray(name);
    expect(held, name);
    return held ? *held : none;
  }
  std::map<std::string, BoundValue> names(llvm::StringRef name) {
    std::map<std::string, BoundValue> read;
    const json::Object *held = object.getObject(name);
    expect(held, name);
    for (const auto &[key, value] : held ? *held : json::Object()) {
      std::optional<BoundValue> bound = boundValueFromJson(value);
      expect(bound.has_value(), name);
      if (bound)
        read.emplace(key.str(), std::move(*bound));
    }
    return read;
  }
};

RecordedProgram readProgram(LineReader &line) {
  RecordedProgram program;
  if (!line.object.get("units")) {
    program.path = line.text("path");
    program.text = line.text("text");
    program.searchesOwnFolder = line.flag("own_folder");
    for (const json::Value &folder : line.list("folders")) {
      line.expect(folder.getAsString().has_value(), "folders");
      program.folders.push_back(folder.getAsString().value_or("").str());
    }
    program.values = line.names("values");
    return program;
  }
  for (const json::Value &unit : line.list("units")) {
    line.expect(unit.getAsObject(), "units");
    if (!unit.getAsObject())
      break;
    LineReader part{*unit.getAsObject()};
    program.units.push_back({part.text("path"), part.text("text"), uint32_t(part.number("line", UINT32_MAX)),
                             part.names("names")});
    line.expect(part.wrong.empty(), "units");
  }
  program.entry = size_t(line.number("entry", int64_t(program.units.size()) - 1));
  return program;
}

/// Reads an argument; what is passed is a text, what is known stands in a list.
std::optional<ArgSpec> readArg(const json::Value &held) {
  if (std::optional<llvm::StringRef> type = held.getAsString()) {
    std::variant<ArgSpec, std::string> parsed = parseArgType(std::string_view(type->data(), type->size()));
    if (auto *arg = std::get_if<ArgSpec>(&parsed))
      return std::move(*arg);
    return std::nullopt;
  }
  const json::Array *array = held.getAsArray();
  if (!array || array->size() != 1)
    return std::nullopt;
  std::optional<BoundValue> value = boundValueFromJson(array->front());
  return value ? std::optional<ArgSpec>(std::move(*value)) : std::nullopt;
}

/// Reads a library: its name, its path and a digest.
std::optional<ExternLibrary> readLibrary(const json::Value &held) {
  const json::Array *parts = held.getAsArray();
  if (!parts || parts->size() != 3 ||
      !llvm::all_of(*parts, [](const json::Value &part) { return part.getAsString().has_value(); }))
    return std::nullopt;
  const auto text = [&](size_t at) { return (*parts)[at].getAsString()->str(); };
  if (text(0).empty() || text(1).empty())
    return std::nullopt;
  return ExternLibrary{text(0), text(1), text(2)};
}

RecordedKernel readKernel(LineReader &line) {
  RecordedKernel kernel{.program = line.text("of")};
  KernelSpec &spec = kernel.spec;
  spec.kernel = line.text("kernel");
  spec.target = line.text("target");
  spec.tritonVersion = line.text("version");
  line.expect(lookupLanguageVersion(spec.tritonVersion), "version");
  spec.numWarps = uint32_t(line.number("num_warps", UINT32_MAX));
  spec.numStages = uint32_t(line.number("num_stages", UINT32_MAX));
  if (line.object.get("max_registers"))
    spec.maxRegisters = uint32_t(line.number("max_registers", UINT32_MAX));
  spec.debug = line.flag("debug");
  spec.overflowChecks = !line.flag("no_overflow_checks");
  spec.fpFusion = !line.flag("no_fp_fusion");
  spec.splitK = line.flag("split_k");
  spec.dotPrecision = line.textOrEmpty("dot_precision");
  kernel.entryName = line.textOrEmpty("entry_name");
  kernel.tile = line.textOrEmpty("tile");
  kernel.cooperative = line.flag("cooperative");
  kernel.programmatic = line.flag("programmatic");
  if (line.object.get("num_ctas"))
    spec.numCtas = uint32_t(line.number("num_ctas", tile::MaxSharingBlocks));
  if (line.object.get("without"))
    for (const json::Value &name : line.list("without")) {
      auto features = parseFeatures(name.getAsString().value_or("").str());
      line.expect(features.index() == 0, "without");
      if (auto *known = std::get_if<std::set<Feature>>(&features))
        spec.without.merge(*known);
    }
  if (line.object.get("extern_libs"))
    for (const json::Value &held : line.list("extern_libs")) {
      std::optional<ExternLibrary> library = readLibrary(held);
      line.expect(library.has_value(), "extern_libs");
      if (library)
        spec.externLibs.push_back(std::move(*library));
    }
  const json::Object *args = line.object.getObject("args");
  line.expect(args, "args");
  for (const auto &[name, held] : args ? *args : json::Object()) {
    std::optional<ArgSpec> arg = readArg(held);
    line.expect(arg.has_value(), "args");
    if (arg)
      spec.args.emplace(name.str(), std::move(*arg));
  }
  for (const json::Value &held : line.list("parameters")) {
    const json::Array *pair = held.getAsArray();
    const bool isFine = pair && pair->size() == 2 && (*pair)[0].getAsString() && (*pair)[1].getAsString();
    line.expect(isFine, "parameters");
    if (isFine)
      kernel.parameters.push_back({(*pair)[0].getAsString()->str(), (*pair)[1].getAsString()->str()});
  }
  return kernel;
}

} // namespace

std::variant<RecordLine, std::string> readRecordLine(std::string_view text) {
  llvm::Expected<json::Value> parsed = json::parse({text.data(), text.size()});
  if (!parsed)
    return llvm::toString(parsed.takeError());
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return std::string("expected an object");
  LineReader line{*object};
  RecordLine read;
  if (object->get("program"))
    read = IdentifiedProgram{line.text("program"), readProgram(line)};
  else if (object->get("kernel"))
    read = readKernel(line);
  else if (object->get("note"))
    read = RecordedNote{line.text("note"), line.text("text")};
  else
    return std::string("expected `program`, `kernel` or `note`");
  if (!line.wrong.empty())
    return std::move(line.wrong);
  return read;
}

} // namespace tegula
