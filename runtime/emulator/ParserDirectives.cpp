// Module level: directives, variables with their initial values, and function headers.

#include "runtime/emulator/Cfg.h"
#include "runtime/emulator/Parser.h"

#include <fmt/format.h>

namespace tegula::runtime::ptx {

bool Parser::fail(uint32_t line, std::string text) {
  if (errorText.empty())
    errorText = fmt::format("line {}: {}", line, text);
  return false;
}

std::string Parser::found() const {
  switch (token.kind) {
  case Token::End: return "the end of the text";
  case Token::Dotted: return fmt::format("`.{}`", token.text.substr(0, 40));
  case Token::String: return "a string";
  case Token::Bad: {
    std::string shown;
    for (const char c : token.text.substr(0, 20))
      shown += c >= 32 && c < 127 ? std::string(1, c) : fmt::format("\\x{:02x}", uint8_t(c));
    return fmt::format("`{}`", shown);
  }
  default: return fmt::format("`{}`", token.text.substr(0, 40));
  }
}

bool Parser::unexpected(const char *expected) {
  return fail(token.line, fmt::format("expected {}, found {}", expected, found()));
}

bool Parser::accept(char c) {
  if (!token.is(c))
    return false;
  advance();
  return true;
}

bool Parser::acceptDotted(std::string_view name) {
  if (!token.isDotted(name))
    return false;
  advance();
  return true;
}

bool Parser::expect(char c, const char *where) {
  if (accept(c))
    return true;
  return fail(token.line, fmt::format("expected `{}` {}, found {}", c, where, found()));
}

bool Parser::integer(uint64_t &value, const char *what) {
  if (token.kind != Token::Integer)
    return unexpected(what);
  value = token.bits;
  advance();
  return true;
}

void Parser::skipToSemicolon() {
  while (token.kind != Token::End && !token.is(';'))
    advance();
  accept(';');
}

/// Debug sections: everything up to the closing brace.
void Parser::skipSection() {
  const uint32_t line = token.line;
  while (token.kind != Token::End && !token.is('{'))
    advance();
  size_t depth = 0;
  do {
    depth += token.is('{');
    depth -= token.is('}');
    if (token.kind == Token::End) {
      fail(line, "unterminated section");
      return;
    }
    advance();
  } while (depth);
}

void Parser::fileDirective() {
  uint64_t number = 0;
  if (!integer(number, "a file number"))
    return;
  if (number > 65535) {
    fail(token.line, fmt::format("expected a file number of at most 65535, found {}", number));
    return;
  }
  if (token.kind != Token::String) {
    unexpected("a file name");
    return;
  }
  if (module.files.size() <= number)
    module.files.resize(number + 1);
  module.files[number] = std::string(token.text);
  advance();
  while (accept(','))
    if (token.kind == Token::Integer)
      advance();
}

bool Parser::declarator(Declaration &out) {
  if (token.kind != Token::Identifier)
    return unexpected("a name");
  out.name = token.text;
  out.count = 1;
  out.array = out.open = false;
  advance();
  while (accept('[')) {
    out.array = true;
    uint64_t side = 0;
    if (token.is(']'))
      out.open = true;
    else if (!integer(side, "an array size"))
      return false;
    else if (side > maxVariableBytes || out.count * side > maxVariableBytes)
      return fail(token.line, fmt::format("`{}` is larger than {} bytes", out.name, maxVariableBytes));
    else
      out.count *= side;
    if (!expect(']', "after an array size"))
      return false;
  }
  return true;
}

/// `.align 4 .b8 name[3]`, with `.ptr` and its attributes for kernel parameters.
bool Parser::declaration(Declaration &out) {
  bool pointer = false;
  while (token.kind == Token::Dotted) {
    const std::string_view name = token.text;
    const uint32_t line = token.line;
    advance();
    if (name == "align") {
      uint64_t align = 0;
      if (!integer(align, "an alignment"))
        return false;
      if (align == 0 || (align & (align - 1)) || align > 65536)
        return fail(line, fmt::format("expected an alignment that is a power of two, found {}", align));
      if (!pointer)
        out.align = uint32_t(align);
    } else if (name == "ptr") {
      pointer = true;
    } else if (pointer && (name == "global" || name == "shared" || name == "const" || name == "local")) {
      continue;
    } else if (name == "v2" || name == "v4") {
      out.vector = name == "v2" ? 2 : 4;
    } else if (name == "attribute") {
      while (token.kind != Token::End && !token.is(')'))
        advance();
      accept(')');
    } else if (const std::optional<Type> type = parseType(name); type && *type != Type::Pred) {
      out.type = *type;
    } else {
      return fail(line, fmt::format("unsupported type or attribute `.{}`", name));
    }
  }
  if (out.type == Type::None)
    return unexpected("a type");
  return declarator(out);
}

bool Parser::initialElement(Variable &variable, Type type) {
  const unsigned bytes = bitsOf(type) / 8;
  const bool negative = accept('-');
  uint64_t bits = token.bits;
  if (token.kind == Token::Integer || token.kind == Token::Float32 || token.kind == Token::Float64) {
    if (token.kind == Token::Float64 && type == Type::F32)
      bits = roundTo(asDouble(bits), single, Rounding::Nearest);
    if (negative)
      bits = token.kind == Token::Integer ? 0 - bits : bits ^ uint64_t(1) << (bitsOf(type) - 1);
    advance();
  } else if (token.kind == Token::Identifier) {
    std::string_view symbol = token.text;
    advance();
    const bool wrapped = symbol == "generic" && accept('(');
    if (wrapped) {
      symbol = token.text;
      if (token.kind != Token::Identifier)
        return unexpected("the name of a variable");
      advance();
      if (!expect(')', "after the name of a variable"))
        return false;
    }
    uint64_t addend = 0;
    if (accept('+') && !integer(addend, "an offset"))
      return false;
    if (bytes != 8)
      return fail(token.line, fmt::format("expected a 64-bit element for the address of `{}`", symbol));
    variable.relocations.push_back({variable.initial.size(), std::string(symbol), int64_t(addend)});
    bits = 0;
  } else {
    return unexpected("an initial value");
  }
  if (variable.initial.size() + bytes > variable.size)
    return fail(token.line, fmt::format("`{}` has more initial values than its {} bytes hold", variable.name,
                                        variable.size));
  for (unsigned i = 0; i < bytes; ++i)
    variable.initial.push_back(i < 8 ? uint8_t(bits >> (8 * i)) : 0);
  return true;
}

bool Parser::initializer(Variable &variable, Type type) {
  if (!token.is('{'))
    return initialElement(variable, type);
  size_t depth = 0;
  do {
    if (accept('{')) {
      ++depth;
    } else if (accept('}')) {
      --depth;
    } else if (accept(',')) {
      continue;
    } else if (!initialElement(variable, type)) {
      return false;
    }
  } while (depth);
  return true;
}

void Parser::variable(Space space, bool isExtern) {
  Declaration declared;
  if (!declaration(declared))
    return;
  for (;;) {
    const uint32_t line = token.line;
    const unsigned bytes = bitsOf(declared.type) / 8 * declared.vector;
    Variable made;
    made.name = std::string(declared.name);
    made.space = space;
    made.size = declared.open ? 0 : declared.count * bytes;
    made.align = std::max<uint32_t>(declared.align, bytes);
    made.line = line;
    variableBytes += made.size;
    if (variableBytes > maxVariableBytes) {
      fail(line, fmt::format("the variables take more than {} bytes", maxVariableBytes));
      return;
    }
    if (accept('=')) {
      if (declared.open)
        made.size = maxVariableBytes;
      if (!initializer(made, declared.type))
        return;
      if (declared.open)
        made.size = made.initial.size();
    } else if (isExtern && space != Space::Shared) {
      fail(line, fmt::format("external variable `{}` is not defined", made.name));
      return;
    }
    const uint32_t number = uint32_t(module.variables.size());
    Name name{Name::Variable, declared.type, number, 0};
    const bool fresh = scopes.empty() ? variableNumbers.try_emplace(declared.name, number).second
                                      : scopes.back().names.try_emplace(declared.name, name).second;
    if (!fresh) {
      fail(line, fmt::format("`{}` is declared twice", made.name));
      return;
    }
    if (!placeVariable(std::move(made), declared.open))
      return;
    if (!accept(',')) {
      expect(';', "after a variable");
      return;
    }
    if (!declarator(declared))
      return;
  }
}

bool Parser::placeVariable(Variable variable, bool open) {
  if (variable.space == Space::Shared) {
    if (open && variable.size == 0) {
      module.dynamicAlign = std::max(module.dynamicAlign, variable.align);
      dynamicShared.push_back(uint32_t(module.variables.size()));
    } else {
      const uint64_t start = (module.sharedBytes + uint64_t(variable.align) - 1) / variable.align * variable.align;
      if (start + variable.size > maxSharedBytes)
        return fail(variable.line, fmt::format("the shared variables take more than {} bytes", maxSharedBytes));
      variable.offset = start;
      module.sharedBytes = uint32_t(start + variable.size);
    }
  }
  module.variables.push_back(std::move(variable));
  return true;
}

/// Arrays of open size share the memory that the launch adds behind the static variables.
void Parser::placeDynamicShared() {
  if (dynamicShared.empty())
    return;
  module.sharedBytes = (module.sharedBytes + module.dynamicAlign - 1) / module.dynamicAlign * module.dynamicAlign;
  for (const uint32_t number : dynamicShared)
    module.variables[number].offset = module.sharedBytes;
}

bool Parser::allocateParam(ParamSlot &slot, uint32_t align, uint64_t size, std::string_view name) {
  const uint64_t start = (function->paramBytes + uint64_t(align) - 1) / align * align;
  if (start + size > maxParamBytes)
    return fail(token.line, fmt::format("the parameters take more than {} bytes", maxParamBytes));
  slot = {std::string(name), uint32_t(start), uint32_t(size)};
  function->paramBytes = uint32_t(start + size);
  return true;
}

/// `(.param .b64 a, .param .align 8 .b8 b[16])`
bool Parser::formals(std::vector<ParamSlot> &slots) {
  if (!expect('(', "before parameters"))
    return false;
  while (!accept(')')) {
    if (!acceptDotted("param"))
      return unexpected("`.param`");
    Declaration declared;
    if (!declaration(declared))
      return false;
    const unsigned bytes = bitsOf(declared.type) / 8 * declared.vector;
    ParamSlot slot;
    if (!allocateParam(slot, std::max<uint32_t>(declared.align, bytes), declared.open ? 0 : declared.count * bytes,
                       declared.name))
      return false;
    if (!scopes.back().names.try_emplace(declared.name, Name{Name::Param, declared.type, slot.offset, slot.size}).second)
      return fail(token.line, fmt::format("`{}` is declared twice", declared.name));
    slots.push_back(std::move(slot));
    if (!token.is(')') && !expect(',', "between parameters"))
      return false;
  }
  return true;
}

bool Parser::threadCounts(std::array<uint32_t, 3> &counts) {
  counts = {1, 1, 1};
  for (size_t axis = 0; axis < 3; ++axis) {
    uint64_t value = 0;
    if (!integer(value, "a number of threads"))
      return false;
    counts[axis] = uint32_t(std::min<uint64_t>(value, 1u << 20));
    if (!accept(','))
      break;
  }
  return true;
}

bool Parser::functionDirectives() {
  while (token.kind == Token::Dotted) {
    const std::string_view name = token.text;
    advance();
    if (name == "reqntid" || name == "maxntid") {
      if (!threadCounts(name == "reqntid" ? function->requiredThreads : function->maxThreads))
        return false;
    } else if (name == "minnctapersm" || name == "maxnreg" || name == "maxnctapersm" || name == "maxclusterrank") {
      uint64_t ignored = 0;
      if (!integer(ignored, "a number"))
        return false;
    } else if (name == "reqnctapercluster") {
      std::array<uint32_t, 3> cluster;
      if (!threadCounts(cluster))
        return false;
      if (uint64_t(cluster[0]) * cluster[1] * cluster[2] != 1)
        return fail(token.line, "unsupported cluster of more than one block");
    } else if (name == "pragma") {
      skipToSemicolon();
    } else if (name != "noreturn" && name != "explicitcluster") {
      return fail(token.line, fmt::format("unsupported directive `.{}`", name));
    }
  }
  return true;
}

void Parser::functionItem(bool isEntry) {
  Function made;
  made.isEntry = isEntry;
  made.line = token.line;
  function = &made;
  scopes.clear();
  openScope();
  constants.clear();
  addressRows.clear();
  localRows.clear();
  specialRows.clear();
  tableJumps.clear();
  if (!isEntry && token.is('(') && !formals(made.results))
    return;
  if (token.kind != Token::Identifier) {
    unexpected("the name of a function");
    return;
  }
  const std::string_view name = token.text;
  made.name = std::string(name);
  advance();
  if (token.is('(') && !formals(made.params))
    return;
  made.uniformParamBytes = isEntry ? made.paramBytes : 0;
  if (!functionDirectives())
    return;
  const auto [number, fresh] = functionNumbers.try_emplace(name, uint32_t(module.functions.size()));
  if (!fresh && module.functions[number->second].hasBody && token.is('{')) {
    fail(made.line, fmt::format("function `{}` is defined twice", name));
    return;
  }
  functionNumber = number->second;
  if (token.is('{')) {
    made.hasBody = true;
    body();
    if (failed())
      return;
    finishFunction();
  } else if (!expect(';', "or a body after a function")) {
    return;
  }
  function = nullptr;
  scopes.clear();
  if (fresh)
    module.functions.push_back(std::move(made));
  else if (made.hasBody)
    module.functions[functionNumber] = std::move(made);
}

void Parser::finishFunction() {
  for (const TableJump &jump : tableJumps) {
    const auto label = scopes.front().labels.find(jump.label);
    if (label == scopes.front().labels.end()) {
      fail(jump.line, fmt::format("undefined label `{}`", jump.label));
      return;
    }
    function->pool[jump.pool] = label->second;
  }
  computeReconvergence(*function);
}

void Parser::resolveCalls() {
  for (const PendingCall &call : calls) {
    Function &caller = module.functions[call.function];
    Inst &inst = caller.code[call.instruction];
    const auto number = functionNumbers.find(call.callee);
    if (number == functionNumbers.end() || !module.functions[number->second].hasBody) {
      fail(inst.line, fmt::format("call of undefined function `{}`", call.callee));
      return;
    }
    const Function &callee = module.functions[number->second];
    const Row *pool = &caller.pool[inst.pool];
    const uint32_t results = pool[0], params = pool[1];
    bool matches = results == callee.results.size() && params == callee.params.size() && !callee.isEntry;
    for (uint32_t i = 0; matches && i < results; ++i)
      matches = pool[3 + 2 * i] == callee.results[i].size;
    for (uint32_t i = 0; matches && i < params; ++i)
      matches = pool[3 + 2 * (results + i)] == callee.params[i].size;
    if (!matches) {
      fail(inst.line, fmt::format("call of `{}` does not match its parameters", call.callee));
      return;
    }
    inst.target = number->second;
  }
}

void Parser::moduleItem() {
  bool isExtern = false;
  for (;;) {
    if (token.kind != Token::Dotted) {
      unexpected("a directive");
      return;
    }
    const std::string_view name = token.text;
    const uint32_t line = token.line;
    advance();
    if (name == "visible" || name == "weak" || name == "common" || name == "hidden") continue;
    if (name == "extern") {
      isExtern = true;
      continue;
    }
    if (name == "version" || name == "target") {
      (name == "version" ? module.version : module.target) = std::string(token.text);
      do
        advance();
      while (accept(','));
    } else if (name == "address_size") {
      uint64_t bits = 0;
      if (integer(bits, "an address size") && bits != 64)
        fail(line, fmt::format("expected addresses of 64 bits, found {}", bits));
    } else if (name == "file") fileDirective();
    else if (name == "section") skipSection();
    else if (name == "pragma") skipToSemicolon();
    else if (name == "entry") functionItem(true);
    else if (name == "func") functionItem(false);
    else if (name == "global") variable(Space::Global, isExtern);
    else if (name == "const") variable(Space::Const, isExtern);
    else if (name == "shared") variable(Space::Shared, isExtern);
    else
      fail(line, fmt::format("unsupported directive `.{}`", name));
    return;
  }
}

Result<Module> Parser::run() {
  advance();
  while (token.kind != Token::End && !failed())
    moduleItem();
  if (!failed()) {
    placeDynamicShared();
    resolveCalls();
  }
  if (failed())
    return Error{ErrorKind::InvalidArgument, errorText};
  return std::move(module);
}

Result<Module> parse(std::string_view text) {
  if (text.size() > maxTextBytes)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected at most {} bytes of PTX, found {}", maxTextBytes, text.size())};
  return Parser(text).run();
}

const Function *Module::findEntry(std::string_view name) const {
  for (const Function &function : functions)
    if (function.isEntry && function.hasBody && function.name == name)
      return &function;
  return nullptr;
}

const Variable *Module::findVariable(std::string_view name) const {
  for (const Variable &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

} // namespace tegula::runtime::ptx
