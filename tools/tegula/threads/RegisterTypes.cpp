#include "tools/tegula/threads/RegisterTypes.h"

#include "llvm/ADT/StringExtras.h"

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
  for (llvm::StringRef part : llvm::split(opcode, '.'))
    if (const auto type = runtime::ptx::parseType(part))
      types.push_back(*type);
  return types;
}

/// Reads one instruction.
class Reader {
public:
  explicit Reader(std::string_view text) : left(text) {}

  /// Calls `take` with each register and the number of its operand; of an operand that is an address with
  /// `isAddress`.
  template <typename Take> void read(Take take) {
    skipBlanks();
    if (!left.empty() && left.front() == '@')
      takeWord();
    skipBlanks();
    opcode = takeWord();
    size_t operand = 0, depth = 0;
    bool isAddress = false;
    while (!left.empty() && left.front() != ';') {
      const char c = left.front();
      if (c == '%') {
        take(takeWord(), operand, isAddress);
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : 0;
      depth -= (c == '}' || c == ']') && depth ? 1 : 0;
      isAddress = c == '[' || (isAddress && c != ']');
      operand += c == ',' && !depth;
      left.remove_prefix(1);
    }
  }

  std::string_view opcode;

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
  std::string_view left;
};

} // namespace

RegisterTypes registerTypes(const CodeLines &code) {
  RegisterTypes found;
  for (const auto &[line, inst] : code.instructions()) {
    Reader reader(code.text(line));
    std::vector<Type> types;
    reader.read([&](std::string_view name, size_t operand, bool) {
      if (types.empty())
        types = typesOf(reader.opcode);
      if (types.empty())
        return;
      // Of several types each operand has its own, and those behind have the last.
      const Type type = types[std::min(operand, types.size() - 1)];
      Type &known = found.try_emplace(std::string(name), type).first->second;
      if (rankOf(type) > rankOf(known))
        known = type;
    });
  }
  return found;
}

std::vector<std::string> writtenRegisters(std::string_view instruction) {
  std::vector<std::string> written;
  Reader(instruction).read([&](std::string_view name, size_t operand, bool isAddress) {
    if (operand == 0 && !isAddress)
      written.emplace_back(name);
  });
  return written;
}

} // namespace tegula::cli
