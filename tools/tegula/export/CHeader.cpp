#include "tools/tegula/export/CHeader.h"

#include "compiler/spec/KernelSpec.h"
#include "runtime/bundle/Bundle.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tegula::cli {

using bundle::Bundle;
using bundle::BundledKernel;
using runtime::Result;

std::string cSymbol(std::string_view text) {
  std::string symbol;
  for (const char c : text)
    symbol += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (symbol.empty() || std::isdigit(static_cast<unsigned char>(symbol[0])))
    symbol.insert(0, 1, '_');
  return symbol;
}

/// Words that no parameter of a C or C++ function can be called, and the names of the parameters that all
/// functions have.
static constexpr std::array reservedWords = {
    "alignas",  "alignof",  "asm",       "auto",     "bool",     "break",   "case",      "catch",
    "char",     "class",    "const",     "continue", "default",  "delete",  "do",        "double",
    "else",     "enum",     "explicit",  "export",   "extern",   "false",   "float",     "for",
    "friend",   "goto",     "grid_x",    "grid_y",   "grid_z",   "if",      "inline",    "int",
    "long",     "mutable",  "namespace", "new",      "operator", "private", "protected", "public",
    "register", "restrict", "return",    "short",    "signed",   "sizeof",  "static",    "stream",
    "struct",   "switch",   "template",  "this",     "throw",    "true",    "try",       "typedef",
    "typename", "union",    "unsigned",  "using",    "virtual",  "void",    "volatile",  "while"};

/// Returns the parameter `name` as C may call it: a word that is taken gets an underscore.
static std::string cParameter(std::string_view name) {
  std::string symbol = cSymbol(name);
  return std::ranges::find(reservedWords, symbol) != reservedWords.end() ? symbol + "_" : symbol;
}

namespace {

/// A parameter of a function in C.
struct CParameter {
  std::string name;
  std::optional<RuntimeArg>
      type; ///< without facts; nothing where only variants that know the value were seen
};

/// All variants of a name.
struct Function {
  std::string constants;
  std::vector<CParameter> parameters;
  std::vector<std::string> variants; ///< a line each
};

/// "const void *", "int32_t": the type by which C passes `type`.
std::string cType(const std::optional<RuntimeArg> &type) {
  if (!type)
    return "int32_t";
  if (type->pointerDepth)
    return "const void *";
  switch (type->scalar) {
  case ScalarKind::Int1:
    return "bool";
  case ScalarKind::Int64:
    return "int64_t";
  case ScalarKind::UInt64:
    return "uint64_t";
  case ScalarKind::UInt8:
  case ScalarKind::UInt16:
  case ScalarKind::UInt32:
    return "uint32_t";
  default:
    break;
  }
  return isFloatKind(type->scalar) ? "double" : "int32_t";
}

/// The element of an array of `tegula_argument` for a parameter.
std::string cArgument(const CParameter &parameter) {
  const std::string name = cParameter(parameter.name);
  if (!parameter.type)
    return fmt::format("TEGULA_INT_ARGUMENT({})", name);
  if (parameter.type->pointerDepth)
    return fmt::format("TEGULA_POINTER_ARGUMENT({}, {})", name, int(parameter.type->scalar));
  if (isFloatKind(parameter.type->scalar))
    return fmt::format("TEGULA_FLOAT_ARGUMENT({})", name);
  if (parameter.type->scalar == ScalarKind::Int1)
    return fmt::format("TEGULA_BOOL_ARGUMENT({})", name);
  return fmt::format("TEGULA_{}_ARGUMENT({})", parameter.type->scalar == ScalarKind::UInt64 ? "UINT" : "INT",
                     name);
}

/// The types of the launch parameters of `kernel`.
std::vector<CParameter> parametersOf(const BundledKernel &kernel) {
  std::vector<CParameter> parameters;
  for (const bundle::LaunchParameter &each : kernel.parameters) {
    CParameter parameter{each.name, std::nullopt};
    std::variant<ArgSpec, std::string> parsed = parseArgType(each.type);
    if (const auto *arg = std::get_if<ArgSpec>(&parsed))
      if (const auto *runtime = std::get_if<RuntimeArg>(arg))
        parameter.type = RuntimeArg{runtime->scalar, runtime->pointerDepth, {}};
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

/// Makes `known`, the parameters of variants before, those of another one too. An integer may have one width
/// in one variant and be known, or wider, in another. Returns false where they are not alike.
bool merge(std::vector<CParameter> &known, const std::vector<CParameter> &other) {
  if (known.size() != other.size())
    return false;
  for (size_t i = 0; i < known.size(); ++i) {
    std::optional<RuntimeArg> &type = known[i].type;
    const std::optional<RuntimeArg> &with = other[i].type;
    if (known[i].name != other[i].name)
      return false;
    if (!with || type == with)
      continue;
    auto isInteger = [](const RuntimeArg &arg) {
      return !arg.pointerDepth && (arg.scalar == ScalarKind::Int32 || arg.scalar == ScalarKind::Int64);
    };
    if (!type)
      type = with;
    else if (isInteger(*type) && isInteger(*with))
      type->scalar = ScalarKind::Int64;
    else
      return false;
  }
  return true;
}

Result<std::map<std::string, Function>> functionsOf(const Bundle &bundle) {
  std::map<std::string, Function> functions;
  for (const Bundle::Item &item : bundle.items()) {
    if (item.form != bundle::Form::Kernel)
      continue;
    const BundledKernel kernel = TRY(bundle.read(item));
    auto [place, isNew] = functions.try_emplace(kernel.name);
    Function &function = place->second;
    if (isNew) {
      function.constants = kernel.constants;
      function.parameters = parametersOf(kernel);
    }
    if (kernel.constants != function.constants)
      return usageError(
          fmt::format("`{}` is compiled for {} and for {}: give them names of their own with `--name`",
                      kernel.name, function.constants, kernel.constants));
    if (!isNew && !merge(function.parameters, parametersOf(kernel)))
      return usageError(fmt::format(
          "the variants of `{}` differ in their parameters: give them names of their own with `--name`",
          kernel.name));
    std::string variant = fmt::format("{}:", item.target);
    for (const bundle::LaunchParameter &parameter : kernel.parameters)
      variant += fmt::format(" {}={}", parameter.name, parameter.type);
    function.variants.push_back(std::move(variant));
  }
  return functions;
}

/// `text` as it may stand in a comment.
std::string inComment(std::string text) {
  for (size_t at = text.find("*/"); at != text.npos; at = text.find("*/"))
    text.replace(at, 2, "* /");
  return text;
}

} // namespace

Result<std::string> cHeader(const std::string &file, const std::string &symbol, std::string_view bytes) {
  std::shared_ptr<const Bundle> bundle = TRY(Bundle::view(bytes, file));
  std::map<std::string, Function> functions = TRY(functionsOf(*bundle));
  std::string text = fmt::format(
      "/* Kernels that Tegula {0} compiled ahead of time. Link {1}.o and libtegula-runtime.\n"
      " *\n"
      " * A function launches `grid_x` x `grid_y` x `grid_z` programs on `stream`, a CUstream, null for the "
      "default one, of\n"
      " * the device that `tegula_use_device` has named. Null is success; any other result is freed by\n"
      " * `tegula_error_free`. Addresses are the device's. */\n"
      "#ifndef {2}_H\n#define {2}_H\n\n#include <tegula/tegula_runtime.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
      "extern const char {2}[], {2}_end[];\n",
      bundle::currentVersion(), file, symbol);
  std::set<std::string> used;
  for (auto &[name, function] : functions) {
    const std::string called = cSymbol(name);
    if (called == symbol || called == symbol + "_end")
      return usageError(fmt::format(
          "`{}` is called as the bundle itself is in C: give `--c` another name, or the kernel one "
          "with `--name`",
          called));
    if (!used.insert(called).second)
      return usageError(fmt::format(
          "two kernels are called `{}` in C: give them names of their own with `--name`", called));
    std::ranges::sort(function.variants);
    text += fmt::format("\n/* {}\n", inComment(function.constants));
    for (const std::string &variant : function.variants)
      text += fmt::format(" *   {}\n", inComment(variant));
    text += fmt::format(
        " */\nstatic inline tegula_error *{}(void *stream, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z",
        called);
    std::vector<std::string> arguments;
    for (const CParameter &parameter : function.parameters) {
      const std::string type = cType(parameter.type);
      text += fmt::format(",\n    {}{}{}", type, type.ends_with('*') ? "" : " ", cParameter(parameter.name));
      arguments.push_back(cArgument(parameter));
    }
    text += fmt::format(") {{\n"
                        "  static tegula_linked_kernel tegula_linked = {{{0}, {0}_end, \"{1}\", 0}};\n"
                        "  const uint32_t tegula_grid[3] = {{grid_x, grid_y, grid_z}};\n",
                        symbol, name);
    if (!arguments.empty())
      text +=
          fmt::format("  const tegula_argument tegula_arguments[] = {{{}}};\n", fmt::join(arguments, ", "));
    text += fmt::format("  return tegula_launch_linked(&tegula_linked, stream, tegula_grid, {}, {});\n}}\n",
                        arguments.empty() ? "0" : "tegula_arguments", arguments.size());
  }
  return text + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

} // namespace tegula::cli
