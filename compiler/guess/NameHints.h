// Hints in the names of parameters, as kernels in the wild use them: tables of words, nothing else.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <string>
#include <string_view>

namespace tegula::guess {

bool looksLikePointer(std::string_view name);
/// Returns true if the name says by its ending that it is a pointer: "x_ptr".
bool isCalledPointer(std::string_view name);
bool looksLikeStride(std::string_view name);
/// Elements behind pointers of this name.
bool looksLikeIndices(std::string_view name);
bool looksLikeTruths(std::string_view name);
bool looksLikeBytes(std::string_view name);
/// Numbers of this name.
bool looksLikeFloat(std::string_view name);
bool looksLikeSize(std::string_view name);

/// Compile-time values of this name.
bool looksLikeDtype(std::string_view name);
bool looksLikeFlag(std::string_view name);
bool looksLikeBlock(std::string_view name);
/// Returns true if one of the name's words, which underscores part, is `word`; case does not count.
bool hasWord(std::string_view name, std::string_view word);
/// Returns true if `part` is anywhere in the name; case does not count.
bool hasPart(std::string_view name, std::string_view part);

/// Names in expressions.
bool isDtypeName(std::string_view name);
/// Returns true for attributes that only types have: "is_floating".
bool isDtypeAttribute(std::string_view name);
bool isIntegerTypeName(std::string_view name);
/// "int64" of `tl.int64`, "pointer_type" of `tl.pointer_type(tl.int8)`; empty for what names no type.
std::string_view typeNameIn(const ast::Expr *expr);
/// The name that a chain of attributes begins with; empty where it begins with something else.
std::string_view rootOf(const ast::Expr *expr);
/// "a.b.c"; empty where it is no such chain.
std::string dottedName(const ast::Expr *expr);

} // namespace tegula::guess
