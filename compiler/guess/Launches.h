// Reads what the file of a kernel itself passes to it: `kernel[grid](x, n, BLOCK=128)`.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/spec/KernelSpec.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tegula::guess {

/// An argument of a launch, as far as its text shows it.
struct Passed {
  std::optional<BoundValue> literal; ///< a number, text, truth or None, also by a variable that holds one
  std::optional<ScalarKind>
      element;       ///< of an array that the file makes, `torch.empty(n, dtype=torch.float16)`
  uint32_t line = 0; ///< of the launch
};

/// Arguments by parameter, those of the first launch in `body`, of `module`, that shows one; `num_warps` and
/// `num_stages` among them.
std::map<std::string, Passed> passedAtLaunches(const ast::Module &module, ast::Block body,
                                               const std::string &kernel,
                                               const std::vector<std::string> &parameters);

} // namespace tegula::guess
