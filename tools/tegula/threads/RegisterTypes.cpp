#include "tools/tegula/threads/RegisterTypes.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tegula::cli {

using runtime::ptx::Type;

namespace {

/// Returns how much a type says beyond a width.
int rankOf(Type type) {
  if (type == Type::F32 || type == Type::F64)
    return 3;
  return runtime::ptx::isInteger(type) ? 2 : 1;
}

/// The types among the modifiers of an opcode: "cvt.rn.f32.s32" has two.
std::vector<Type> typesOf(std::string_view opcode) {
  std::vector<Type> types;
  while (!opcode.empty()) {
    const size_t end = std::min(opcode.find('.'), opcode.size());
    if (const auto type = runtime::ptx::parseType(opcode.substr(0, end)))
      types.push_back(*type);
    opcode.remove_prefix(std::min(end + 1, opcode.size()));
  }
  return types;
}

/// Reads one instruction.
class Reader {
public:
  Reader(std::string_view text, RegisterTypes &found) : left(text), found(found) {}

  void read() {
    skipBlanks();
    if (!left.empty() && left.front() == '@')
      takeWord();
    skipBlanks();
    types = typesOf(takeWord());
    size_t operand = 0, depth = 0;
    while (!types.empty() && !left.empty() && left.front() != ';') {
      const char c = left.front();
      if (c == '%') {
        note(takeWord(), operand);
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : 0;
      depth -= (c == '}' || c == ']') && depth ? 1 : 0;
      operand += c == ',' && !depth;
      left.remove_prefix(1);
    }
  }

private:
  void skipBlanks() {
    while (!left.empty() && std::isspace(static_cast<unsigned char>(left.front())))
      left.remove_prefix(1);
  }
  std::string_view takeWord() {
    size_t end = 0;
    while (end < left.size() && !std::isspace(static_cast<unsigned char>(left[end])) &&
           std::string_view(",;{}[]()|+").find(left[end]) == std::string_view::npos)
      ++end;
    const std::string_view word = left.substr(0, end);
    left.remove_prefix(end);
    return word;
  }
  /// Takes the operand's own type of several, the last for those behind.
  void note(std::string_view name, size_t operand) {
    const Type type = types[std::min(operand, types.size() - 1)];
    Type &known = found.try_emplace(std::string(name), type).first->second;
    if (rankOf(type) > rankOf(known))
      known = type;
  }

  std::string_view left;
  RegisterTypes &found;
  std::vector<Type> types;
};

} // namespace

RegisterTypes registerTypes(const CodeLines &code) {
  RegisterTypes found;
  for (const auto &[line, inst] : code.instructions())
    Reader(code.text(line), found).read();
  return found;
}

} // namespace tegula::cli
