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

/// One optimisation that was made or missed, where, why and how much.
struct Remark {
  enum Kind : uint8_t { Passed, Missed, Failed, Analysis };
  Kind kind = Analysis;
  std::string pass;                      ///< flag of the pass that says it: "coalesce"
  std::string name;                      ///< what of that pass's work it is about: "access"
  std::string function;                  ///< the kernel, as the source calls it
  std::string message;                   ///< what was done or left, in words; empty where the name says it
  std::vector<RemarkArgument> arguments; ///< the rest, in the order the pass gave it
  std::string text;                      ///< name, message and arguments as one line for a person
  std::string file;              ///< with line and column the innermost place; empty where there is none
  uint32_t line = 0, column = 0; ///< from 1
};
/// "passed", "missed", "failed" or "analysis".
std::string_view remarkKindName(Remark::Kind kind);

} // namespace tegula
