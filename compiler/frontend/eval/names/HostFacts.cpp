#include "compiler/frontend/eval/names/HostFacts.h"

#include "compiler/frontend/eval/names/Globals.h"
#include "compiler/target/Target.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

using namespace tegula;
using namespace tegula::eval;

namespace {

using Maker = Value (*)(Evaluation &);

Value none(Evaluation &) { return None(); }
Value yes(Evaluation &) { return true; }
Value no(Evaluation &) { return false; }
template <int number> Value count(Evaluation &) { return Int(number); }
/// A text that compares as versions do: one of PyTorch's own kind of text.
constexpr std::string_view TorchVersion = "torch.__version__";

/// The release that names the language's version as the one that it needs, and the toolkit that it is built
/// with.
Value torchVersion(Evaluation &) { return std::string_view("2.11.0"); }
Value cudaVersion(Evaluation &) { return std::string_view("13.0"); }

/// A number of the target.
template <auto number> Value ofTarget(Evaluation &evaluator) {
  const Target *target = lookupTarget(evaluator.spec.target);
  return target ? Value(Int(std::invoke(number, *target))) : Value(Poison());
}
Value warpSize(Evaluation &evaluator) {
  return ofTarget<[](const Target &target) { return target.warpSize; }>(evaluator);
}
Value capability(Evaluation &evaluator) {
  return evaluator.memory.tuple({ofTarget<&Target::major>(evaluator), ofTarget<&Target::minor>(evaluator)},
                                false, {});
}

struct Fact {
  std::string_view path; ///< with `()` behind it for what a call gives
  Maker make;
};
/// One device, which is the target, and what a process has set before anybody changes it.
constexpr Fact facts[] = {
    {TorchVersion, torchVersion},
    {"torch.version.hip", none},
    {"torch.version.xpu", none},
    {"torch.version.cuda", cudaVersion},
    {"torch.are_deterministic_algorithms_enabled()", no},
    {"torch.cuda.is_available()", yes},
    {"torch.cuda.current_device()", count<0>},
    {"torch.cuda.device_count()", count<1>},
    {"torch.cuda.get_device_capability()", capability},
    {"torch.cuda.get_device_properties().major", ofTarget<&Target::major>},
    {"torch.cuda.get_device_properties().minor", ofTarget<&Target::minor>},
    {"torch.cuda.get_device_properties().warp_size", warpSize},
    {"torch.cuda.get_device_properties().shared_memory_per_block_optin",
     ofTarget<&Target::maxSharedPerBlock>},
    {"torch.xpu.is_available()", no},
    {"torch.backends.mps.is_available()", no},
};

/// Functions whose argument says of which device, and makes no difference.
constexpr std::string_view ofDevice[] = {"torch.cuda.get_device_capability",
                                         "torch.cuda.get_device_properties"};

/// The limits of PyTorch's types, which functions of it are asked for.
struct FloatLimits {
  std::string_view name;
  double max, eps, tiny;
  int bits;
};
constexpr FloatLimits floatLimits[] = {
    {"float64", 0x1.fffffffffffffp+1023, 0x1p-52, 0x1p-1022, 64},
    {"float32", 0x1.fffffep+127, 0x1p-23, 0x1p-126, 32},
    {"float16", 65504, 0x1p-10, 0x1p-14, 16},
    {"bfloat16", 0x1.fep+127, 0x1p-7, 0x1p-126, 16},
    {"float8_e4m3fn", 448, 0x1p-3, 0x1p-6, 8},
    {"float8_e4m3fnuz", 240, 0x1p-3, 0x1p-7, 8},
    {"float8_e5m2", 57344, 0x1p-2, 0x1p-14, 8},
    {"float8_e5m2fnuz", 57344, 0x1p-2, 0x1p-15, 8},
};
struct IntLimits {
  std::string_view name;
  int64_t min, max;
  int bits;
};
constexpr IntLimits intLimits[] = {
    {"uint8", 0, 255, 8},
    {"int8", -128, 127, 8},
    {"int16", -32768, 32767, 16},
    {"int32", INT32_MIN, INT32_MAX, 32},
    {"int64", INT64_MIN, INT64_MAX, 64},
};

std::pair<Value, Value> field(std::string_view name, const Value &value) { return {Value(name), value}; }

/// `torch.finfo(torch.float32)` and `torch.iinfo(torch.int32)`: `type` is the path of the argument.
std::optional<Value> limits(Evaluation &evaluator, std::string_view callee, std::string_view type,
                            SourceRange range) {
  constexpr std::string_view package = "torch.";
  if (!type.starts_with(package))
    return std::nullopt;
  type.remove_prefix(package.size());
  for (const FloatLimits &known : floatLimits)
    if (callee == "torch.finfo" && known.name == type)
      return evaluator.memory.record({field("max", known.max), field("min", -known.max),
                                      field("eps", known.eps), field("tiny", known.tiny),
                                      field("smallest_normal", known.tiny), field("bits", Int(known.bits))},
                                     range);
  for (const IntLimits &known : intLimits)
    if (callee == "torch.iinfo" && known.name == type)
      return evaluator.memory.record(
          {field("max", Int(known.max)), field("min", Int(known.min)), field("bits", Int(known.bits))},
          range);
  return std::nullopt;
}

/// "torch.float32"
bool isType(std::string_view path) {
  auto names = [&](const auto &type) { return path == "torch." + std::string(type.name); };
  return llvm::any_of(floatLimits, names) || llvm::any_of(intLimits, names);
}

/// Functions that make versions of texts.
constexpr std::string_view versionMakers[] = {"packaging.version.parse", "packaging.version.Version",
                                              "distutils.version.LooseVersion",
                                              "distutils.version.StrictVersion", "looseversion.LooseVersion"};

/// Returns true if `path` is a part of `whole`, which begins with it: "torch.cuda" of
/// "torch.cuda.is_available()".
bool leadsTo(std::string_view path, std::string_view whole) {
  return whole.starts_with(path) && whole.size() > path.size() &&
         (whole[path.size()] == '.' || whole[path.size()] == '(');
}

/// "3.6.0+git" as the numbers 3, 6 and 0; what is missing is 0. Nothing where the text begins with no number.
std::optional<Value> version(Evaluation &evaluator, std::string_view text, SourceRange range) {
  constexpr size_t parts = 3;
  static constexpr std::string_view names[parts] = {"major", "minor", "micro"};
  static constexpr TupleNames type{"Version", names};
  Value numbers[parts] = {Int(0), Int(0), Int(0)};
  llvm::StringRef rest(text);
  rest.consume_front("v");
  for (size_t i = 0; i < parts; ++i) {
    unsigned number = 0;
    if (rest.consumeInteger(10, number))
      return i ? std::optional(evaluator.memory.tuple(numbers, false, range, &type)) : std::nullopt;
    numbers[i] = Int(number);
    if (!rest.consume_front("."))
      break;
  }
  return evaluator.memory.tuple(numbers, false, range, &type);
}

/// Returns true if `value` is PyTorch's version itself: a text made of it is like any other.
bool isTorchVersion(Evaluation &evaluator, const Value &value) {
  const auto *text = value.as<std::string_view>();
  const std::optional<Value> known = text ? evaluator.modules().givenValue(TorchVersion) : std::nullopt;
  const auto *version = known ? known->as<std::string_view>() : nullptr;
  return version && version->data() == text->data() && version->size() == text->size();
}

/// Imports a module, or ends the program where there is none.
constexpr std::string_view skipsWithout = "pytest.importorskip";

/// Evaluates `importlib` for the name of a module: `import_module` gives the module, `find_spec` an object
/// that `module_from_spec` makes it of. Nothing where it is unknown whether there is such a module.
std::optional<Value> moduleFound(Evaluation &evaluator, std::string_view callee, std::string_view name,
                                 SourceRange range) {
  const Unit &unit = *evaluator.frame->unit;
  const bool asksOnly = callee == "importlib.util.find_spec";
  if (!asksOnly && callee != "importlib.import_module" && callee != skipsWithout)
    return std::nullopt;
  Globals &variables = evaluator.modules().globalsOf(unit);
  if (!asksOnly)
    return variables.moduleAt(name, range);
  std::optional<Value> module = evaluator.modules().importModule(unit, 0, name, range);
  if (!module)
    return variables.isKnownMissing(0, name) ? std::optional<Value>(None()) : std::nullopt;
  if (module->isPoison())
    return module;
  // The module is there already: executing it does nothing.
  const Value load = BuiltinRef{evaluator.functions.builtin("_nothing", InLanguage)};
  const Value loader = evaluator.memory.record({field("exec_module", load)}, range);
  return evaluator.memory.record({field("name", name), field("module", *module), field("loader", loader)},
                                 range);
}

/// Returns the other side of a comparison with PyTorch's version, as a version: a text, or a tuple of
/// numbers.
std::optional<Value> comparable(Evaluation &evaluator, const Value &value, SourceRange range) {
  if (const auto *text = value.as<std::string_view>())
    return version(evaluator, *text, range);
  const Tuple *tuple = value.as<Tuple>();
  if (!tuple || !llvm::all_of(tuple->items, [](const Value &item) { return item.is<Int>(); }))
    return std::nullopt;
  std::string text;
  for (const Value &item : tuple->items)
    text += (text.empty() ? "" : ".") + std::to_string(int64_t(*item.as<Int>()));
  return version(evaluator, text, range);
}

} // namespace

std::optional<std::pair<Value, Value>> eval::asVersions(Evaluation &evaluator, const Value &left,
                                                        const Value &right, SourceRange range) {
  if (!isTorchVersion(evaluator, left) && !isTorchVersion(evaluator, right))
    return std::nullopt;
  std::optional<Value> a = comparable(evaluator, left, range), b = comparable(evaluator, right, range);
  return a && b ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

std::optional<Value> eval::hostFact(Evaluation &evaluator, std::string_view path) {
  for (const Fact &fact : facts)
    if (fact.path == path)
      return fact.make(evaluator);
  return std::nullopt;
}

bool eval::hasHostFacts(std::string_view path) {
  return llvm::any_of(facts, [&](const Fact &fact) { return leadsTo(path, fact.path); }) ||
         llvm::any_of(versionMakers,
                      [&](std::string_view maker) { return path == maker || leadsTo(path, maker); }) ||
         leadsTo(path, "importlib.metadata.version()") || leadsTo(path, "importlib.import_module()") ||
         path == "pytest" || path == skipsWithout || leadsTo(path, "importlib.util.find_spec()") ||
         leadsTo(path, "importlib.util.module_from_spec()") || path == "torch.finfo" ||
         path == "torch.iinfo" || isType(path);
}

std::optional<Value> eval::hostFactOfCall(Evaluation &evaluator, const Value &callee,
                                          const Arguments &arguments, SourceRange range) {
  const Unknown *unknown = callee.as<Unknown>();
  if (!unknown || unknown->origin->path.empty())
    return std::nullopt;
  const std::string_view path = unknown->origin->path;
  if (llvm::is_contained(ofDevice, path)) {
    const std::string called = std::string(path) + "()";
    if (std::optional<Value> fact = evaluator.modules().givenValue(called))
      return fact;
    return evaluator.memory.unknownPart(*unknown->origin, called, range);
  }
  if (arguments.positional.size() != 1 || (!arguments.keywords.empty() && path != skipsWithout))
    return std::nullopt;
  const Value &argument = arguments.positional.front().value;
  if (const Unknown *type = argument.as<Unknown>())
    return limits(evaluator, path, type->origin->path, range);
  if (const Dict *spec = argument.as<Dict>();
      spec && spec->isRecord && path == "importlib.util.module_from_spec")
    return evaluator.findAttribute(argument, "module", range);
  const auto *text = argument.as<std::string_view>();
  if (text)
    if (std::optional<Value> module = moduleFound(evaluator, path, *text, range))
      return module;
  if (text && llvm::is_contained(versionMakers, path))
    return version(evaluator, *text, range);
  if (text && path == "importlib.metadata.version" && *text == "triton")
    return evaluator.attribute(ModuleRef{ModuleId::Triton, "triton"}, "__version__", range);
  return std::nullopt;
}

bool eval::isHostType(const Value &value) {
  const Unknown *unknown = value.as<Unknown>();
  return unknown && isType(unknown->origin->path);
}
