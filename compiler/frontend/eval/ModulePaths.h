// The modules of the language, by the paths under which files import them.
#pragma once

#include "compiler/frontend/values/Value.h"

namespace tegula::eval {

/// The module that `path` ("triton.language.math") names; nothing where it is none of the language's.
std::optional<ModuleRef> moduleByPath(std::string_view path);
/// Returns true if `path` begins with a module of the language: no file is looked for under such a name.
bool isOfLanguage(std::string_view path);
/// A part of a module that is a module: `language` of `triton`.
std::optional<ModuleRef> submodule(ModuleId module, std::string_view name);

} // namespace tegula::eval
