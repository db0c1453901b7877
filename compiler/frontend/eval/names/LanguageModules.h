// The modules of the language: the paths under which files import them, and what they hold.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// The module that `path` ("triton.language.math") names; nothing where it is none of the language's.
std::optional<ModuleRef> moduleByPath(std::string_view path);
/// Returns true if `path` begins with a module of the language: no file is looked for under such a name.
/// `tegula.distributed` is one of kernels, written in the language.
bool isOfLanguage(std::string_view path);
/// A part of a module that is a module: `language` of `triton`.
std::optional<ModuleRef> submodule(ModuleId module, std::string_view name);
/// Returns the `Home` of the module's builtins; 0 where it has none.
uint32_t homeOf(ModuleId module);
/// Returns what the module has under `name`: a number, a type, a part that is a module, a function.
std::optional<Value> moduleAttribute(const Evaluation &evaluator, const ModuleRef &module,
                                     std::string_view name);

} // namespace tegula::eval
