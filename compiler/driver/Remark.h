// Remarks of passes, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// One fact of a remark by its name: {"VectorBytes", "16"}, {"Reason", "the mask varies"}.
struct RemarkArgument {
  std::string key, value;
  bool operator==(const RemarkArgument &) const = default;
};

/// A range of a source file.
struct RemarkPlace {
  std::string file;                    ///< empty where there is none
  uint32_t line = 0, column = 0;       ///< from 1; 0 where there is none
  uint32_t endLine = 0, endColumn = 0; ///< of what follows its last character
  bool operator==(const RemarkPlace &) const = default;
};

/// The cause of a missed optimisation: the parameter, constant, load or op where the chain of facts
/// broke that it needs.
struct RemarkCause {
  std::string text; ///< "`n` is not known to be a multiple of 4"
  RemarkPlace place;
  bool operator==(const RemarkCause &) const = default;
};

/// The parameter that a launch would have to pass something else for.
struct RemarkWish {
  std::string parameter; ///< empty where there is none
  int64_t wanted = 0;    ///< 1, or a number that it would have to be a multiple of
  std::string otherwise; ///< what else to change; or empty
};

/// One optimisation that was made or missed, where, why and how much.
struct Remark : RemarkPlace { // the innermost place
  enum Kind : uint8_t { Passed, Missed, Failed, Analysis };
  Kind kind = Analysis;
  std::string pass;                      ///< flag of the pass that says it: "coalesce"
  std::string name;                      ///< what of that pass's work it is about: "access"
  std::string function;                  ///< the kernel, as the source calls it
  std::string message;                   ///< what was done or left, in words; empty where the name says it
  std::vector<RemarkArgument> arguments; ///< the rest, in the order the pass gave it
  std::string text;                      ///< name, message and arguments as one line for a person
  std::vector<RemarkCause> causes;       ///< of a missed one, the first in the chain of facts first
  std::string fix;                       ///< of a missed one: what to change; empty where that is not known
  bool isNothingToDo = false;            ///< of a missed one: no change of the kernel would help
  RemarkWish wish = {};                  ///< of a missed one: what `fix` begins with, in parts
};

/// "passed", "missed", "failed" or "analysis".
inline std::string_view remarkKindName(Remark::Kind kind) {
  constexpr std::string_view names[] = {"passed", "missed", "failed", "analysis"};
  return names[kind];
}

} // namespace tegula
