// Module level: directives and function headers.

#include "runtime/emulator/ptx/Cfg.h"
#include "runtime/emulator/ptx/Parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

/// Returns a file's name without its escapes: `\303` is a byte in octal, any other character after a
/// backslash stands for itself.
static std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    unsigned byte = 0;
    size_t digits = 0;
    for (; digits < 3 && at + 1 + digits < text.size(); ++digits) {
      const char digit = text[at + 1 + digits];
      if (digit < '0' || digit > '7')
        break;
      byte = byte * 8 + unsigned(digit - '0');
    }
    out += digits ? char(byte) : text[at + 1];
    at += digits ? digits : 1;
  }
  return out;
}

/// The name that a `.file` directive of `text` gives the number; they come after the code that needs them.
static std::string fileNamed(std::string_view text, uint32_t number) {
  const std::string directive = fmt::format("\n\t.file\t{} \"", number);
  const size_t at = text.find(directive);
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + directive.size());
  return unescaped(text.substr(0, text.find('"')));
}

bool Parser::fail(uint32_t line, std::string text) {
  if (!errorText.empty())
    return false;
  // Authors of PTX written by hand want the place in their file.
  const Place at = function ? module.places[place] : Place();
  const std::string file = at.line ? fileNamed(whole, at.file) : "";
  errorText = file.empty() ? fmt::format("line {}: {}", line, text)
                           : fmt::format("line {}, from {}:{}: {}", line, file, at.line, text);
  return false;
}

std::string Parser::found() const {
  switch (token.kind) {
  case Token::End:
    return "the end of the text";
  case Token::Dotted:
    return fmt::format("`.{}`", token.text.substr(0, 40));
  case Token::String:
    return "a string";
  case Token::Bad: {
    std::string shown;
    for (const char c : token.text.substr(0, 20))
      shown += c >= 32 && c < 127 ? std::string(1, c) : fmt::format("\\x{:02x}", uint8_t(c));
    return fmt::format("`{}`", shown);
  }
  default:
    return fmt::format("`{}`", token.text.substr(0, 40));
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

bool Parser::skipToSemicolon() {
  while (token.kind != Token::End && !token.is(';'))
    advance();
  accept(';');
  return true;
}

/// Debug sections: everything up to the closing brace.
bool Parser::skipSection() {
  const uint32_t line = token.line;
  while (token.kind != Token::End && !token.is('{'))
    advance();
  size_t depth = 0;
  do {
    depth += token.is('{');
    depth -= token.is('}');
    if (token.kind == Token::End)
      return fail(line, "unterminated section");
    advance();
  } while (depth);
  return true;
}

bool Parser::fileDirective() {
  uint64_t number = 0;
  if (!integer(number, "a file number"))
    return false;
  if (number > 65535)
    return fail(token.line, fmt::format("expected a file number of at most 65535, found {}", number));
  if (token.kind != Token::String)
    return unexpected("a file name");
  if (module.files.size() <= number)
    module.files.resize(number + 1);
  module.files[number] = unescaped(token.text);
  advance();
  while (accept(','))
    if (token.kind == Token::Integer)
      advance();
  return true;
}

bool Parser::allocateParam(ParamSlot &slot, uint32_t align, uint64_t size, std::string_view name) {
  uint32_t &end = scopes.back().paramBytes;
  const uint64_t start = (end + uint64_t(align) - 1) / align * align;
  if (start + size > maxParamBytes)
    return fail(token.line, fmt::format("the parameters take more than {} bytes", maxParamBytes));
  slot = {std::string(name), uint32_t(start), uint32_t(size)};
  end = uint32_t(start + size);
  function->paramBytes = std::max(function->paramBytes, end);
  return true;
}

bool Parser::declare(std::string_view name, Name made) {
  return scopes.back().names.try_emplace(name, made).second ||
         fail(token.line, fmt::format("`{}` is declared twice", name));
}

bool Parser::paramDeclaration(ParamSlot &slot) {
  Declaration declared;
  return declaration(declared) && allocateParam(slot, declared.alignment(), declared.size(), declared.name) &&
         declare(declared.name, {Name::Param, declared.type, slot.offset, slot.size});
}

/// `(.param .b64 a, .param .align 8 .b8 b[16])`
bool Parser::formals(std::vector<ParamSlot> &slots) {
  if (!expect('(', "before parameters"))
    return false;
  while (!accept(')')) {
    if (!acceptDotted("param"))
      return unexpected("`.param`");
    if (!paramDeclaration(slots.emplace_back()))
      return false;
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
    } else if (name == "minnctapersm" || name == "maxnreg" || name == "maxnctapersm" ||
               name == "maxclusterrank") {
      uint64_t ignored = 0;
      if (!integer(ignored, "a number"))
        return false;
    } else if (name == "reqnctapercluster") {
      std::array<uint32_t, 3> cluster;
      if (!threadCounts(cluster))
        return false;
      if (uint64_t(cluster[1]) * cluster[2] != 1)
        return fail(token.line, "unsupported cluster of several blocks along y or z");
      function->requiredCluster = cluster[0];
    } else if (name == "pragma") {
      skipToSemicolon();
    } else if (name != "noreturn" && name != "explicitcluster") {
      return fail(token.line, fmt::format("unsupported directive `.{}`", name));
    }
  }
  return true;
}

bool Parser::functionItem(bool isEntry) {
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
    return false;
  if (token.kind != Token::Identifier)
    return unexpected("the name of a function");
  const std::string_view name = token.text;
  made.name = std::string(name);
  advance();
  if (token.is('(') && !formals(made.params))
    return false;
  made.uniformParamBytes = isEntry ? made.paramBytes : 0;
  if (!functionDirectives())
    return false;
  const auto [number, fresh] = functionNumbers.try_emplace(name, uint32_t(module.functions.size()));
  if (!fresh && module.functions[number->second].hasBody && token.is('{'))
    return fail(made.line, fmt::format("function `{}` is defined twice", name));
  functionNumber = number->second;
  if (token.is('{')) {
    made.hasBody = true;
    if (!body() || !finishFunction())
      return false;
  } else if (!expect(';', "or a body after a function")) {
    return false;
  }
  function = nullptr;
  scopes.clear();
  if (fresh)
    module.functions.push_back(std::move(made));
  else if (made.hasBody)
    module.functions[functionNumber] = std::move(made);
  return true;
}

bool Parser::finishFunction() {
  for (const TableJump &jump : tableJumps) {
    const auto label = scopes.front().labels.find(jump.label);
    if (label == scopes.front().labels.end())
      return fail(jump.line, fmt::format("undefined label `{}`", jump.label));
    function->pool[jump.pool] = label->second;
  }
  computeReconvergence(*function);
  return true;
}

bool Parser::resolveCalls() {
  for (const PendingCall &call : calls) {
    Function &caller = module.functions[call.function];
    Inst &inst = caller.code[call.instruction];
    const auto number = functionNumbers.find(call.callee);
    if (number == functionNumbers.end() || !module.functions[number->second].hasBody)
      return fail(inst.line, fmt::format("call of undefined function `{}`", call.callee));
    const Function &callee = module.functions[number->second];
    const Row *pool = &caller.pool[inst.pool];
    const uint32_t results = pool[0], params = pool[1];
    bool matches = results == callee.results.size() && params == callee.params.size() && !callee.isEntry;
    for (uint32_t i = 0; matches && i < results; ++i)
      matches = pool[3 + 2 * i] == callee.results[i].size;
    for (uint32_t i = 0; matches && i < params; ++i)
      matches = pool[3 + 2 * (results + i)] == callee.params[i].size;
    if (!matches)
      return fail(inst.line, fmt::format("call of `{}` does not match its parameters", call.callee));
    inst.target = number->second;
  }
  return true;
}

bool Parser::moduleItem() {
  bool isExtern = false;
  for (;;) {
    if (token.kind != Token::Dotted)
      return unexpected("a directive");
    const std::string_view name = token.text;
    const uint32_t line = token.line;
    advance();
    if (name == "visible" || name == "weak" || name == "common" || name == "hidden")
      continue;
    if (name == "extern") {
      isExtern = true;
      continue;
    }
    if (name == "version" || name == "target") {
      (name == "version" ? module.version : module.target) = std::string(token.text);
      do
        advance();
      while (accept(','));
      return true;
    }
    if (name == "address_size") {
      uint64_t bits = 0;
      return integer(bits, "an address size") &&
             (bits == 64 || fail(line, fmt::format("expected addresses of 64 bits, found {}", bits)));
    }
    if (name == "file")
      return fileDirective();
    if (name == "section")
      return skipSection();
    if (name == "pragma")
      return skipToSemicolon();
    if (name == "entry" || name == "func")
      return functionItem(name == "entry");
    if (name == "global")
      return variable(Space::Global, isExtern);
    if (name == "const")
      return variable(Space::Const, isExtern);
    if (name == "shared")
      return variable(Space::Shared, isExtern);
    return fail(line, fmt::format("unsupported directive `.{}`", name));
  }
}

Result<Module> Parser::run() {
  advance();
  while (token.kind != Token::End && moduleItem()) {
  }
  placeDynamicShared();
  if (failed() || !resolveCalls())
    return Error{ErrorKind::Compile, errorText};
  return std::move(module);
}

Result<Module> parse(std::string_view text, std::span<const Decoder> decoders) {
  if (text.size() > maxTextBytes)
    return Error{ErrorKind::Compile,
                 fmt::format("expected at most {} bytes of PTX, found {}", maxTextBytes, text.size())};
  return Parser(text, decoders).run();
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
