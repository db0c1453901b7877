// Function bodies: scopes, registers, labels and statements.

#include "runtime/emulator/ptx/Form.h"
#include "runtime/emulator/ptx/Parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

static constexpr size_t maxScopeDepth = 64;
static constexpr uint32_t maxRows = 1u << 20; // a quarter of a gigabyte for each warp
static constexpr size_t maxInstructions = 1u << 22;

Row Parser::newRow(std::string name, Type type) {
  if (function->rows >= maxRows)
    fail(token.line, fmt::format("more than {} registers", maxRows));
  function->rowNames.push_back(std::move(name));
  function->rowTypes.push_back(type);
  return function->rows++;
}

Row Parser::newPredicate(std::string name) {
  if (function->predicates >= maxRows)
    fail(token.line, fmt::format("more than {} registers", maxRows));
  function->predicateNames.push_back(std::move(name));
  return function->predicates++;
}

template <typename Rows, typename Entry, typename... Values>
Row Parser::rowFor(Rows &rows, const typename Rows::key_type &key, std::vector<Entry> &list,
                   Values... values) {
  const auto [entry, fresh] = rows.try_emplace(key, 0);
  if (fresh) {
    entry->second = newRow();
    list.push_back({entry->second, values...});
  }
  return entry->second;
}

Row Parser::constant(uint64_t value) { return rowFor(constants, value, function->constants, value); }

Row Parser::special(Special which) { return rowFor(specialRows, which, function->specials, which); }

Parser::Name Parser::newRegister(std::string_view name, Type type) {
  if (type == Type::Pred)
    return {Name::Predicate, type, newPredicate(std::string(name)), 0};
  const Row row = newRow(std::string(name), type);
  if (type == Type::B128)
    newRow(std::string(name));
  return {Name::Register, type, row, 0};
}

const Parser::Name *Parser::lookup(std::string_view name) {
  for (size_t i = scopes.size(); i-- > 0;) {
    Scope &scope = scopes[i];
    if (const auto entry = scope.names.find(name); entry != scope.names.end())
      return &entry->second;
    for (const Family &family : scope.families) {
      if (!name.starts_with(family.prefix) || name.size() == family.prefix.size())
        continue;
      const std::string_view digits = name.substr(family.prefix.size());
      uint64_t number = 0;
      for (const char c : digits)
        number = c < '0' || c > '9' || number > family.count ? uint64_t(family.count) + 1
                                                             : number * 10 + uint64_t(c - '0');
      if (number >= family.count || (digits.size() > 1 && digits[0] == '0'))
        continue;
      return &scope.names.emplace(name, newRegister(name, family.type)).first->second;
    }
  }
  return nullptr;
}

Row Parser::addressOf(std::string_view symbol, int64_t addend, uint32_t line, Space &space) {
  const Name *name = lookup(symbol);
  uint32_t number = 0;
  if (name && name->kind == Name::Local) {
    space = Space::Local;
    return rowFor(localRows, int64_t(name->index) + addend, function->locals, uint32_t(name->index + addend));
  }
  if (name && name->kind == Name::Param) {
    space = Space::Param;
    return constant(uint64_t(name->index + addend));
  }
  if (name && name->kind == Name::Variable) {
    number = name->index;
  } else if (const auto global = variableNumbers.find(symbol); global != variableNumbers.end()) {
    number = global->second;
  } else {
    fail(line, fmt::format("undefined name `{}`", symbol));
    return noRow;
  }
  space = module.variables[number].space;
  return rowFor(addressRows, {number, addend}, function->addresses, number, addend);
}

std::optional<ParamSlot> Parser::findParam(std::string_view symbol) {
  const Name *name = lookup(symbol);
  if (!name || name->kind != Name::Param)
    return std::nullopt;
  return ParamSlot{std::string(symbol), name->index, name->size};
}

const std::vector<std::string_view> *Parser::findTable(std::string_view name) const {
  for (size_t i = scopes.size(); i-- > 0;)
    if (const auto entry = scopes[i].tables.find(name); entry != scopes[i].tables.end())
      return &entry->second;
  return nullptr;
}

void Parser::needLabel(std::string_view label) {
  scopes.back().jumps.emplace_back(uint32_t(function->code.size()), label);
}

void Parser::needTableLabel(uint32_t poolIndex, std::string_view label, uint32_t line) {
  tableJumps.push_back({poolIndex, label, line});
}

void Parser::needFunction(std::string_view name) {
  calls.push_back({functionNumber, uint32_t(function->code.size()), name});
}

/// Opens a scope. Its declarations are placed after those of the scopes around it, where the scope before it
/// had its own: each call has one, with its parameters.
void Parser::openScope() {
  const uint32_t paramBytes = scopes.empty() ? 0 : scopes.back().paramBytes;
  scopes.emplace_back().paramBytes = paramBytes;
}

/// Labels belong to their scope; a jump that finds none there looks in the scope around it.
bool Parser::closeScope() {
  Scope scope = std::move(scopes.back());
  const bool outermost = scopes.size() == 1;
  for (const auto &[instruction, label] : scope.jumps) {
    if (const auto entry = scope.labels.find(label); entry != scope.labels.end()) {
      function->code[instruction].target = entry->second;
    } else if (outermost) {
      return fail(function->code[instruction].line, fmt::format("undefined label `{}`", label));
    } else {
      scopes[scopes.size() - 2].jumps.emplace_back(instruction, label);
    }
  }
  if (outermost)
    scopes.back() = std::move(scope); // branch tables still look labels up
  else
    scopes.pop_back();
  return true;
}

bool Parser::body() {
  const size_t outer = scopes.size();
  advance();
  while (!failed()) {
    if (token.kind == Token::End)
      return fail(token.line,
                  fmt::format("expected `}}` at the end of `{}`, found the end of the text", function->name));
    if (accept('{')) {
      if (scopes.size() - outer >= maxScopeDepth)
        fail(token.line, fmt::format("blocks nested deeper than {}", maxScopeDepth));
      openScope();
    } else if (accept('}')) {
      const bool last = scopes.size() == outer;
      if (!closeScope())
        return false;
      if (last)
        return true;
    } else {
      statement();
    }
  }
  return false;
}

bool Parser::statement() {
  if (accept(';'))
    return true;
  return token.kind == Token::Dotted ? bodyDirective() : instruction();
}

bool Parser::bodyDirective() {
  const std::string_view name = token.text;
  const uint32_t line = token.line;
  advance();
  if (name == "reg")
    return registers();
  if (name == "loc")
    return locDirective();
  if (name == "file")
    return fileDirective();
  if (name == "param")
    return localParam();
  if (name == "local")
    return localVariable();
  if (name == "shared")
    return variable(Space::Shared, false);
  if (name == "global")
    return variable(Space::Global, false);
  if (name == "const")
    return variable(Space::Const, false);
  if (name == "pragma")
    return skipToSemicolon();
  return fail(line, fmt::format("unsupported directive `.{}`", name));
}

/// `.reg .b32 %r<17>, %x;`
bool Parser::registers() {
  if (token.kind != Token::Dotted)
    return unexpected("a type");
  const std::optional<Type> type = parseType(token.text);
  if (!type)
    return fail(token.line, fmt::format("unsupported type `.{}`", token.text));
  advance();
  do {
    if (token.kind != Token::Identifier)
      return unexpected("the name of a register");
    const std::string_view name = token.text;
    advance();
    if (accept('<')) {
      uint64_t count = 0;
      if (!integer(count, "a number of registers") || !expect('>', "after a number of registers"))
        return false;
      scopes.back().families.push_back({name, uint32_t(std::min<uint64_t>(count, maxRows)), *type});
      if (scopes.back().families.size() > 64)
        fail(token.line, "more than 64 families of registers in one block");
      continue;
    }
    if (!declare(name, newRegister(name, *type)))
      return false;
  } while (accept(','));
  return expect(';', "after registers");
}

/// `.param .align 8 .b8 param0[16];`
bool Parser::localParam() {
  ParamSlot slot;
  return paramDeclaration(slot) && expect(';', "after a parameter");
}

bool Parser::localVariable() {
  Declaration declared;
  if (!declaration(declared))
    return false;
  const uint64_t align = declared.alignment(), size = declared.size();
  const uint64_t start = (function->localBytes + align - 1) / align * align;
  if (start + size > maxLocalBytes)
    return fail(token.line, fmt::format("the local variables take more than {} bytes", maxLocalBytes));
  function->localBytes = uint32_t(start + size);
  return declare(declared.name, {Name::Local, declared.type, uint32_t(start), uint32_t(size)}) &&
         expect(';', "after a variable");
}

/// `.loc 1 12 5`, perhaps with `, function_name $label, inlined_at 1 20 3`
bool Parser::locDirective() {
  uint64_t file = 0, line = 0, column = 0;
  if (!integer(file, "a file number") || !integer(line, "a line number") ||
      !integer(column, "a column number"))
    return false;
  while (accept(',')) {
    if (token.kind == Token::Identifier && token.text == "function_name") {
      advance();
      advance();
      if (accept('+')) {
        advance();
      }
    } else if (token.kind == Token::Identifier && token.text == "inlined_at") {
      advance();
      while (token.kind == Token::Integer)
        advance();
    } else {
      return unexpected("`function_name` or `inlined_at`");
    }
  }
  this->column = uint32_t(column);
  const Place made{uint32_t(file), uint32_t(line)};
  const auto [entry, fresh] =
      placeNumbers.try_emplace(uint64_t(made.file) << 32 | made.line, uint32_t(module.places.size()));
  if (fresh)
    module.places.push_back(made);
  place = entry->second;
  return true;
}

/// `table: .branchtargets a, b, c;`
bool Parser::branchTargets() {
  std::vector<std::string_view> &labels = scopes.back().tables[pendingLabel];
  labels.clear();
  do {
    if (token.kind != Token::Identifier)
      return unexpected("a label");
    labels.push_back(token.text);
    advance();
  } while (accept(','));
  return expect(';', "after branch targets");
}

std::string Statement::fullName() const {
  std::string name(opcode);
  for (const std::string_view modifier : modifiers)
    name.append(".").append(modifier);
  return name;
}

bool Parser::instruction() {
  Statement made;
  made.line = token.line;
  if (accept('@')) {
    made.guardNegated = accept('!');
    const Name *name = token.kind == Token::Identifier ? lookup(token.text) : nullptr;
    if (!name || name->kind != Name::Predicate)
      return unexpected("a predicate register");
    made.guard = name->index;
    advance();
  }
  if (token.kind != Token::Identifier)
    return unexpected("an instruction");
  made.opcode = token.text;
  advance();
  if (made.guard == noRow && accept(':')) {
    pendingLabel = made.opcode;
    if (acceptDotted("branchtargets"))
      return branchTargets();
    if (token.isDotted("callprototype"))
      return skipToSemicolon();
    return scopes.back().labels.try_emplace(made.opcode, uint32_t(function->code.size())).second ||
           fail(made.line, fmt::format("label `{}` is defined twice", made.opcode));
  }
  for (; token.kind == Token::Dotted; advance())
    made.modifiers.push_back(token.text);
  std::string full = made.fullName();
  const auto decoder = std::ranges::find_if(decoders, [&](const Decoder &one) {
    return std::ranges::find(one.opcodes, made.opcode) != one.opcodes.end();
  });
  if (decoder == decoders.end())
    return fail(made.line, fmt::format("unsupported instruction `{}`", full));
  if ((!token.is(';') && !operandList(made.operands)) || !expect(';', "after an instruction"))
    return false;
  if (function->code.size() >= maxInstructions)
    return fail(made.line, fmt::format("more than {} instructions in `{}`", maxInstructions, function->name));
  const auto [number, fresh] = opcodeNumbers.try_emplace(std::move(full), uint32_t(module.opcodes.size()));
  if (fresh)
    module.opcodes.push_back(number->first);
  Form form(*this, made);
  if (!form.decodeBy(*decoder))
    return false;
  form.inst.name = number->second;
  form.inst.place = place;
  form.inst.column = column;
  function->code.push_back(form.inst);
  return true;
}

} // namespace tegula::runtime::ptx
