// Finds the statement that a line of a source belongs to: debuggers stop at statements, and ops have places
// of expressions.
#pragma once

#include "compiler/frontend/syntax/text/Source.h"

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::debug {

/// The statements of functions, by file and line. Of a statement with a body, its own lines are those before
/// the body.
class Statements {
public:
  /// Parses `files`, which may be excerpts of one file. What does not parse has no statements.
  explicit Statements(std::span<const std::shared_ptr<const SourceFile>> files);

  /// The first line of the statement that `line` is part of; 0 where there is none.
  uint32_t firstLine(const std::string &file, uint32_t line) const { return at(file, line).statement; }
  /// The name of the function that holds `line`; empty where there is none.
  const std::string &function(const std::string &file, uint32_t line) const {
    return functions[at(file, line).function];
  }
  /// The first line from `line` on at which a statement begins; 0 where none does.
  uint32_t nextStatement(const std::string &file, uint32_t line) const;
  /// The first line of the statement that `line` is part of, or of the next one; 0 where there is none. A
  /// breakpoint at `line` stops there.
  uint32_t statementAt(const std::string &file, uint32_t line) const;
  /// The first line of a statement of the function `name`; 0 where there is none.
  uint32_t functionLine(const std::string &file, std::string_view name) const;
  /// The path of the file that `name` means: its path, or the end of one, from a `/` on. Empty where there is
  /// none.
  std::string pathOf(const std::string &name) const;
  /// The text of a line; empty where it is not known.
  std::string_view text(const std::string &file, uint32_t line) const;
  /// The number of the last line that is known of a file.
  uint32_t lineCount(const std::string &file) const;

  struct Line {
    uint32_t statement = 0; ///< its first line
    uint32_t function = 0;  ///< index in `functions`; 0 is none
  };

private:
  /// Returns what is known of a line: nothing of one that is in no function.
  Line at(const std::string &file, uint32_t line) const;

  std::vector<std::shared_ptr<const SourceFile>> files;
  std::unordered_map<std::string, std::vector<Line>> lines; ///< by line
  std::vector<std::string> functions{""};
};

} // namespace tegula::debug
