// Variables: their declarations, initial values and places.

#include "runtime/emulator/ptx/Parser.h"

#include <fmt/format.h>

namespace tegula::runtime::ptx {

bool Parser::declarator(Declaration &out) {
  if (token.kind != Token::Identifier)
    return unexpected("a name");
  out.name = token.text;
  out.count = 1;
  out.open = false;
  advance();
  while (accept('[')) {
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

bool Parser::variable(Space space, bool isExtern) {
  Declaration declared;
  if (!declaration(declared))
    return false;
  for (;;) {
    const uint32_t line = token.line;
    Variable made;
    made.name = std::string(declared.name);
    made.space = space;
    made.size = declared.size();
    made.align = declared.alignment();
    made.line = line;
    variableBytes += made.size;
    if (variableBytes > maxVariableBytes)
      return fail(line, fmt::format("the variables take more than {} bytes", maxVariableBytes));
    if (accept('=')) {
      if (declared.open)
        made.size = maxVariableBytes;
      if (!initializer(made, declared.type))
        return false;
      if (declared.open)
        made.size = made.initial.size();
    } else if (isExtern && space != Space::Shared) {
      return fail(line, fmt::format("external variable `{}` is not defined", made.name));
    }
    const uint32_t number = uint32_t(module.variables.size());
    Name name{Name::Variable, declared.type, number, 0};
    const bool fresh = scopes.empty() ? variableNumbers.try_emplace(declared.name, number).second
                                      : scopes.back().names.try_emplace(declared.name, name).second;
    if (!fresh)
      return fail(line, fmt::format("`{}` is declared twice", made.name));
    if (!placeVariable(std::move(made), declared.open))
      return false;
    if (!accept(','))
      return expect(';', "after a variable");
    if (!declarator(declared))
      return false;
  }
}

bool Parser::placeVariable(Variable variable, bool open) {
  if (variable.space == Space::Shared) {
    if (open && variable.size == 0) {
      module.dynamicAlign = std::max(module.dynamicAlign, variable.align);
      dynamicShared.push_back(uint32_t(module.variables.size()));
    } else {
      const uint64_t start =
          (module.sharedBytes + uint64_t(variable.align) - 1) / variable.align * variable.align;
      if (start + variable.size > maxSharedBytes)
        return fail(variable.line,
                    fmt::format("the shared variables take more than {} bytes", maxSharedBytes));
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
  module.sharedBytes =
      (module.sharedBytes + module.dynamicAlign - 1) / module.dynamicAlign * module.dynamicAlign;
  for (const uint32_t number : dynamicShared)
    module.variables[number].offset = module.sharedBytes;
}

} // namespace tegula::runtime::ptx
