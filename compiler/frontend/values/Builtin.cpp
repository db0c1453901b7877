// How messages call a builtin, and what its signature says.
#include "compiler/frontend/values/Builtin.h"

using namespace tegula::eval;

std::string tegula::eval::qualifiedName(const Builtin &builtin) {
  struct Prefix {
    uint32_t home;
    std::string_view text;
  };
  static constexpr Prefix prefixes[] = {
      {InPython, ""},
      {InLanguage, "tl."},
      {InMath, "tl.math."},
      {InTriton, "triton."},
      {InLibdevice, "libdevice."},
      {InCuda, "tl.extra.cuda."},
      {InPythonMath, "math."},
      {InTargetInfo, "tl.target_info."},
      {InDriver, "triton.runtime.driver.active."},
      {InItertools, "itertools."},
      {OnDescriptor, "tensor_descriptor."},
  };
  for (const Prefix &prefix : prefixes)
    if (builtin.homes & prefix.home)
      return std::string(prefix.text) + std::string(builtin.name);
  return std::string(builtin.name);
}

BuiltinParameters tegula::eval::parseSignature(std::string_view signature) {
  BuiltinParameters parameters;
  bool keywordOnly = false;
  int depth = 0;
  // Splits at the commas that are not within a default such as `()`.
  for (size_t begin = 0, i = 0; i <= signature.size() && !signature.empty(); ++i) {
    char c = i < signature.size() ? signature[i] : ',';
    depth += (c == '(') - (c == ')');
    if (c != ',' || (depth && i < signature.size()))
      continue;
    std::string_view part = signature.substr(begin, i - begin);
    begin = i + 1;
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    BuiltinParameter parameter;
    parameter.keywords = part.starts_with("**");
    parameter.rest = !parameter.keywords && part.starts_with('*');
    part.remove_prefix(parameter.keywords ? 2 : parameter.rest ? 1 : 0);
    size_t equals = part.find('=');
    parameter.required = equals == std::string_view::npos && !parameter.rest && !parameter.keywords;
    parameter.name = part.substr(0, equals);
    parameter.keywordOnly = keywordOnly;
    keywordOnly |= parameter.rest;
    if (!parameter.name.empty())
      parameters.push_back(parameter);
  }
  return parameters;
}
