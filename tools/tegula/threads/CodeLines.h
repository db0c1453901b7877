// The instructions of a launch by their lines: of the PTX, and of the source with the calls that led there.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/emulator/warp/LaunchContext.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tegula::cli {

/// A place in the source, of an instruction or of a call that led there.
struct CodePlace {
  std::string file;
  uint32_t line = 0, column = 0;
  uint32_t statement = 0; ///< the first line of the statement that the line is part of
  std::string function;   ///< empty where it is not known
};

/// Returns what is known of the place of an instruction, the innermost call first; nothing for an unknown
/// place.
using PlacesOf = std::function<std::vector<CodePlace>(const runtime::SourcePlace &place)>;

/// The instructions at which basic blocks of `function` begin.
std::set<uint32_t> leadersOf(const runtime::ptx::Function &function);

class CodeLines {
public:
  CodeLines(const runtime::ptx::LaunchContext &launch, const PlacesOf &placesOf);

  /// The calls that an instruction is in, the innermost first; none where its place is not known.
  const std::vector<CodePlace> &calls(const runtime::ptx::Inst &inst) const;
  /// Returns whether the instruction is the first one of its statement in its basic block. LLVM mixes
  /// statements: steps and breakpoints stop once where the control flow comes by.
  bool beginsStatement(const runtime::ptx::Inst &inst) const;
  /// Returns whether it is the first one of this statement, or of what the statement calls.
  bool begins(const runtime::ptx::Inst &inst, const std::string &file, uint32_t statement) const;
  /// Returns whether any instruction is.
  bool hasStatement(const std::string &file, uint32_t statement) const;
  /// The first instruction at a line of the PTX or after it, in its function; null where there is none.
  const runtime::ptx::Inst *atOrAfter(uint32_t ptxLine) const;
  /// The instructions by their lines in the PTX.
  const std::map<uint32_t, const runtime::ptx::Inst *> &instructions() const { return byLine; }

  /// The instructions with exactly this place, in the order of the text.
  std::vector<const runtime::ptx::Inst *> at(const runtime::SourcePlace &place) const;

  /// A line of the PTX; empty where there is none.
  std::string_view text(uint32_t ptxLine) const;
  uint32_t lineCount() const { return uint32_t(lines.size()); }

private:
  using Statement = std::pair<std::string, uint32_t>;
  struct Facts {
    const std::vector<CodePlace> *calls = nullptr;
    std::vector<Statement> begun; ///< statements of which it is the first instruction in its basic block
  };
  void read(const runtime::ptx::Function &function, const runtime::ptx::LaunchContext &launch,
            const PlacesOf &placesOf);

  std::vector<std::string_view> lines;
  std::map<uint32_t, const runtime::ptx::Inst *> byLine;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<CodePlace>> places; ///< by place and column
  std::unordered_map<const runtime::ptx::Inst *, Facts> facts;
};

} // namespace tegula::cli
