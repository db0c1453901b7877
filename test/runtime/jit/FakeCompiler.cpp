#include "test/runtime/jit/FakeCompiler.h"

#include "compiler/driver/ImportRecord.h"
#include "dialect/image/KernelImageText.h"

#include <chrono>
#include <thread>
#include <utility>

namespace tegula {

static std::mutex mutex;
static std::vector<KernelSpec> compiled;

std::vector<KernelSpec> test::takeCompiledSpecs() {
  std::lock_guard lock(mutex);
  return std::exchange(compiled, {});
}

// The real ones live in an archive, from which nothing is taken once their symbols are here.
class ParsedSource {
public:
  std::string text;
  std::shared_ptr<const bound::HostFunction> pick = nullptr; ///< what its text calls by this name
};
struct Compiler::Impl {};
Compiler::Compiler() = default;
Compiler::~Compiler() = default;

std::shared_ptr<const ParsedSource> Compiler::parse(std::string, std::string text, ImportOptions) {
  return std::make_shared<ParsedSource>(ParsedSource{std::move(text)});
}

std::shared_ptr<const ParsedSource> Compiler::parse(std::vector<SourceUnit> units, size_t entry) {
  ParsedSource source{std::move(units[entry].text)};
  if (auto found = units[entry].names.find("pick"); found != units[entry].names.end())
    if (const auto *pick = std::get_if<std::shared_ptr<const bound::HostFunction>>(&found->second.value))
      source.pick = *pick;
  return std::make_shared<ParsedSource>(std::move(source));
}

std::string importRecord(const ParsedSource &) { return {}; }
std::string importClosure(const ParsedSource &) { return {}; }
void identifyLibraries(std::vector<ExternLibrary> &libraries) {
  for (ExternLibrary &library : libraries)
    library.digest = "of " + library.path;
}
bool agreesWithImports(const ParsedSource &, const std::string &record) { return record.empty(); }
bool hasCurrentImports(const ParsedSource &) { return true; }

std::vector<KernelInfo> listKernels(const ParsedSource &source) {
  if (source.text == "broken")
    return {};
  KernelInfo scale{"scale", 1, false, {{"x"}, {"n"}, {"factor"}, {"SCALE"}}};
  scale.parameters[2].type = RuntimeArg{ScalarKind::Float32};
  scale.parameters[3].isConstexpr = scale.parameters[3].hasDefault = true;
  KernelInfo helper{"helper", 2, true, {}};
  if (source.text == "heuristic")
    scale.tuning.heuristics = {"SCALE", "num_warps"};
  if (source.text == "two")
    return {scale, helper, {"other", 3, false, {}}};
  return {scale, helper};
}

/// One parameter of each spec that is not bound, at its natural offset.
static void addParams(KernelImage &image, const KernelSpec &spec, bool wantsFiner) {
  for (const char *name : {"x", "n", "factor"}) {
    const auto *arg = std::get_if<RuntimeArg>(&spec.args.at(name));
    if (!arg)
      continue;
    const bool pointer = arg->pointerDepth != 0;
    const uint32_t size = pointer ? 8 : scalarKindBytes(arg->scalar);
    std::string type(pointer ? "*" : "");
    type += scalarKindName(arg->scalar);
    const ParamKind kind = pointer                              ? ParamKind::Pointer
                           : arg->scalar == ScalarKind::Float32 ? ParamKind::Float
                                                                : ParamKind::Integer;
    const bool isUnknown = kind != ParamKind::Float && arg->facts.divisibility == 1;
    addParam(image, {.name = name,
                     .type = type,
                     .kind = kind,
                     .size = size,
                     .finer = wantsFiner && isUnknown ? (pointer ? 2u : 4u) : 1u});
  }
}

/// No kernel of the tests has several definitions.
std::optional<KernelInfo> Compiler::definition(const ParsedSource &, const std::string &, const std::string &,
                                               const std::string &) {
  return std::nullopt;
}

ConfigsResult Compiler::configs(const ParsedSource &source, const std::string &name, const std::string &,
                                const std::string &) {
  ConfigsResult result;
  if (source.text == "unreadable") {
    result.diagnostics.push_back({Severity::Error, "no configs", "unreadable.py", 2, 1, 2, "unreadable"});
    return result;
  }
  result.configs.emplace();
  if (name == "scale" && source.text == "tuned")
    for (int64_t size : {1, 2}) {
      KernelConfig config;
      config.values = {{"SCALE", BoundValue{size * 10}}};
      config.numWarps = uint32_t(size * 2);
      config.numStages = uint32_t(size);
      if (size == 2)
        config.maxRegisters = 96;
      result.configs->push_back(config);
    }
  return result;
}

HeuristicsResult Compiler::heuristics(const ParsedSource &, const KernelSpec &known,
                                      const std::set<std::string> &wanted) {
  HeuristicsResult result;
  auto found = known.args.find("n");
  if (found == known.args.end()) {
    result.diagnostics.push_back({Severity::Error, "no n", "heuristic.py", 2, 1, 2, "heuristic"});
    return result;
  }
  const int64_t n = std::get<int64_t>(std::get<BoundValue>(found->second).value);
  result.values.emplace();
  for (const std::string &name : wanted)
    result.values->emplace(name, BoundValue{name == "num_warps" ? int64_t(n > 100 ? 64 : 2) : n % 2});
  return result;
}

/// The text of stage Tile, in which a number stands that the host computes.
static std::string tileOf(const ParsedSource &source) {
  return source.text + std::to_string(std::get<int64_t>(std::get<BoundValue>(source.pick->call({})).value));
}

CompileResult Compiler::compile(const ParsedSource &source, const KernelSpec &spec,
                                const CompileOptions &options) {
  if (source.pick && options.isKnown && options.isKnown(tileOf(source)))
    return {};
  {
    std::lock_guard lock(mutex);
    compiled.push_back(spec);
  }
  CompileResult result;
  if (source.text == "broken" || source.text == "slow")
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (source.text == "broken") {
    result.diagnostics.push_back({Severity::Error, "it is broken", "broken.py", 3, 1, 2, "broken"});
    return result;
  }
  if (spec.kernel != "scale")
    return result;
  KernelImage image;
  image.entry = image.kernel = "scale";
  image.target = spec.target;
  image.numWarps = spec.warps();
  addParams(image, spec, source.text == "finer" || source.text == "finer, and it warns");
  const bool takesMap =
      source.text == "maps always" || (source.text == "maps" && !spec.without.contains(Feature::Tma));
  if (takesMap)
    addImplicitMap(
        image, {.base = 0, .element = "fp32", .elementBytes = 4, .axes = {{{4}, {1}, 4}, {{64}, {1, 1}, 8}}});
  const bool mayShare = source.text.starts_with("shares") && !spec.without.contains(Feature::Split);
  if (mayShare) // n/16 iterations
    image.splits = SplitLoop{{1, 1}, 16, spec.splitK && source.text != "shares, but cannot" ? 8u : 1u};
  const bool shares = image.splits && image.splits->blocks > 1;
  if (shares)
    addImplicitFirst(image);
  std::string params;
  for (const KernelParam &param : image.params)
    params += (params.empty() ? "" : ", ") + std::string(".param .b") + std::to_string(param.size * 8) + " " +
              param.name;
  if (takesMap)
    params += ", .param .align 64 .b8 map[128]";
  if (shares)
    params += ", .param .b32 first";
  const bool bound = std::holds_alternative<BoundValue>(spec.args.at("n"));
  image.ptx = launchText(image) + ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry scale(" +
              params +
              ")\n"
              "{\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n.reg .f32 %f<4>;\n"
              "ld.param.u64 %rd1, [x];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n"
              "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.param.f32 %f1, [factor];\n" +
              std::string(bound ? "mov.b32 %r2, 1;\n" : "ld.param.u32 %r2, [n];\n") +
              "cvt.rn.f32.s32 %f2, %r2;\nadd.f32 %f3, %f1, %f2;\n" +
              std::string(takesMap ? "add.f32 %f3, %f3, 0f447A0000;\n" : "") +
              // A tenth of a million for each block that shares it.
              std::string(mayShare && spec.splitK ? "mov.u32 %r3, %cluster_nctaid.x;\nmul.lo.s32 %r3, %r3, 100000;\n"
                                                    "cvt.rn.f32.s32 %f2, %r3;\nadd.f32 %f3, %f3, %f2;\n"
                                                  : "") +
              "st.global.f32 [%rd3], %f3;\nret;\n}\n";
  if (source.text.ends_with("warns"))
    result.diagnostics.push_back({Severity::Warning, "it may be slow", "finer.py", 3, 1, 2, "finer"});
  result.image = std::move(image);
  return result;
}

} // namespace tegula
