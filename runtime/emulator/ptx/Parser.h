// PTX text to a decoded module: declarations, scopes, statements and operands.
//
// Errors are sticky: the first one is kept and every loop ends once there is one.
#pragma once

#include "runtime/emulator/ptx/Lexer.h"
#include "runtime/emulator/ptx/Module.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace tegula::runtime::ptx {

/// A parsed operand with its name already resolved.
struct Operand {
  enum Kind : uint8_t {
    Register,  ///< row `index` of type `type`
    Predicate, ///< predicate `index`, perhaps `negated`
    Special,   ///< special register `index`
    Integer,   ///< value in `bits`
    Float32,   ///< bits of a single
    Float64,   ///< bits of a double
    Symbol,    ///< a variable, parameter, label or function: `text`
    Address,   ///< `[parts[0] + offset]`, or with coordinates `[parts[0] + offset, parts[1]]`
    Vector,    ///< `{parts...}`
    Group,     ///< `(parts...)`
    Pair,      ///< `parts[0]|parts[1]`
    Sink,      ///< `_`
  } kind = Sink;
  Type type = Type::None;
  bool negated = false;
  uint32_t index = 0;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string_view text;
  std::vector<Operand> parts;
};

/// One instruction before decoding.
struct Statement {
  std::string_view opcode;
  std::vector<std::string_view> modifiers;
  std::vector<Operand> operands;
  Row guard = noRow;
  bool guardNegated = false;
  uint32_t line = 0;

  /// The opcode with its modifiers.
  std::string fullName() const;
};

class Form;

/// A decoder, and the opcodes of the instructions that it decodes.
struct Decoder {
  bool (*decode)(Form &);
  std::initializer_list<std::string_view> opcodes;
};

/// Parses PTX text whose instructions `decoders` know.
Result<Module> parse(std::string_view text, std::span<const Decoder> decoders);

class Parser {
public:
  Parser(std::string_view text, std::span<const Decoder> decoders)
      : whole(text), decoders(decoders), lexer(text) {}
  Result<Module> run();

  // Used by instruction decoders.
  Module module;
  Function *function = nullptr; ///< under construction

  /// Records the first error. Always returns false.
  bool fail(uint32_t line, std::string text);
  bool failed() const { return !errorText.empty(); }

  Row newRow(std::string name = {}, Type type = Type::None);
  Row newPredicate(std::string name);
  Row constant(uint64_t value);
  Row special(Special which);
  /// The row that holds the address of `symbol`; `noRow` and an error when it is not a variable.
  /// `space` gets the variable's space.
  Row addressOf(std::string_view symbol, int64_t addend, uint32_t line, Space &space);
  /// A `.param` variable in scope, or nothing.
  std::optional<ParamSlot> findParam(std::string_view name);
  /// The labels of a `.branchtargets` in scope, or null.
  const std::vector<std::string_view> *findTable(std::string_view name) const;

  /// A jump to be resolved when the function ends.
  void needLabel(std::string_view label);
  void needTableLabel(uint32_t poolIndex, std::string_view label, uint32_t line);
  /// A call to be resolved when the module ends; `Inst::target` of the next instruction.
  void needFunction(std::string_view name);

private:
  struct Name {
    enum Kind : uint8_t { Register, Predicate, Param, Variable, Local } kind;
    Type type = Type::None;
    uint32_t index = 0; ///< row, predicate, variable number, or offset
    uint32_t size = 0;
  };
  struct Family {
    std::string_view prefix;
    uint32_t count;
    Type type;
  }; ///< `.reg .b32 %r<17>`
  struct Scope {
    std::unordered_map<std::string_view, Name> names;
    std::vector<Family> families;
    std::unordered_map<std::string_view, uint32_t> labels;
    std::unordered_map<std::string_view, std::vector<std::string_view>> tables; ///< .branchtargets
    std::vector<std::pair<uint32_t, std::string_view>> jumps;
    uint32_t paramBytes = 0; ///< of the function's parameters and those of the scopes around it and its own
  };
  struct Declaration {
    Type type = Type::None;
    uint32_t align = 0;
    std::string_view name;
    uint64_t count = 1;
    bool open = false;
    uint32_t vector = 1;

    uint32_t elementBytes() const { return bitsOf(type) / 8 * vector; }
    uint32_t alignment() const { return std::max(align, elementBytes()); }
    uint64_t size() const { return open ? 0 : count * elementBytes(); } ///< in bytes; 0 where it is not known
  };

  // Tokens
  void advance() { token = lexer.next(); }
  bool accept(char c);
  bool acceptDotted(std::string_view name);
  bool expect(char c, const char *where);
  std::string found() const;
  bool unexpected(const char *expected);

  // ParserDirectives.cpp and ParserVariables.cpp
  bool moduleItem();
  bool fileDirective();
  bool skipSection();
  bool skipToSemicolon();
  bool integer(uint64_t &value, const char *what);
  bool declaration(Declaration &out);
  bool declarator(Declaration &out);
  bool variable(Space space, bool isExtern);
  bool initializer(Variable &variable, Type type);
  bool initialElement(Variable &variable, Type type);
  bool placeVariable(Variable variable, bool open);
  void placeDynamicShared();
  bool resolveCalls();
  bool functionItem(bool isEntry);
  bool declare(std::string_view name, Name made);
  bool paramDeclaration(ParamSlot &slot);
  bool formals(std::vector<ParamSlot> &slots);
  bool functionDirectives();
  bool threadCounts(std::array<uint32_t, 3> &counts);
  bool finishFunction();

  // ParserBody.cpp and ParserOperands.cpp
  bool body();
  bool statement();
  bool bodyDirective();
  bool registers();
  bool localParam();
  bool localVariable();
  bool locDirective();
  bool branchTargets();
  bool instruction();
  bool operandList(std::vector<Operand> &operands, unsigned depth = 0);
  bool operand(Operand &out, unsigned depth = 0);
  bool identifierOperand(Operand &out);
  bool addressOperand(Operand &out);
  bool numberOperand(Operand &out);
  void resolve(std::string_view name, Operand &out);
  const Name *lookup(std::string_view name);
  /// Makes a register or a predicate.
  Name newRegister(std::string_view name, Type type);
  /// The row that `rows` has for `key`; where there is none a new one, which `list` gets with `values`.
  template <typename Rows, typename Entry, typename... Values>
  Row rowFor(Rows &rows, const typename Rows::key_type &key, std::vector<Entry> &list, Values... values);
  void openScope();
  bool closeScope();
  bool allocateParam(ParamSlot &slot, uint32_t align, uint64_t size, std::string_view name);

  std::string_view whole;
  std::span<const Decoder> decoders;
  Lexer lexer;
  Token token;
  std::string errorText;
  std::vector<Scope> scopes;
  struct TableJump {
    uint32_t pool;
    std::string_view label;
    uint32_t line;
  };
  std::vector<TableJump> tableJumps;
  struct PendingCall {
    uint32_t function, instruction;
    std::string_view callee;
  };
  std::vector<PendingCall> calls;
  std::unordered_map<std::string_view, uint32_t> functionNumbers;
  std::unordered_map<std::string_view, uint32_t> variableNumbers;
  std::unordered_map<std::string, uint32_t> opcodeNumbers;
  std::unordered_map<uint64_t, Row> constants;
  std::map<std::pair<uint32_t, int64_t>, Row> addressRows;
  std::map<int64_t, Row> localRows;
  std::map<Special, Row> specialRows;
  uint32_t place = 0, column = 0;
  std::unordered_map<uint64_t, uint32_t> placeNumbers;
  uint32_t functionNumber = 0;   ///< of the function under construction
  std::string_view pendingLabel; ///< the label just read
  uint64_t variableBytes = 0;
  std::vector<uint32_t> dynamicShared; ///< variables of open size
};

/// The special register `name.component` (component empty where there is none).
std::optional<Special> parseSpecial(std::string_view name, std::string_view component);

} // namespace tegula::runtime::ptx
