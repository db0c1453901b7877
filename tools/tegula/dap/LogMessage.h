// The messages of breakpoints that are passed: a text with expressions in it.
#pragma once

#include "compiler/debug/Expression.h"
#include "compiler/debug/Scope.h"
#include "dialect/image/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// The message of a log point, "row {i} of {n}": expressions in braces, which are doubled to stand for
/// themselves.
class LogMessage {
public:
  /// `spell` returns an expression as it is parsed. Errors: InvalidArgument where `text` cannot be read.
  static runtime::Result<LogMessage> parse(std::string_view text,
                                           const std::function<std::string(std::string_view)> &spell);
  /// The message with values in a line each, or why there is none.
  std::string text(const debug::Scope &scope) const;

private:
  struct Piece {
    std::string text;
    std::optional<debug::Expression> expression; ///< behind the text
  };
  std::vector<Piece> pieces;
};

} // namespace tegula::cli
