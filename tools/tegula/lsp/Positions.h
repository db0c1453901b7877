// Positions as editors count them, lines from 0 and columns in units of UTF-16, and as sources do.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/syntax/text/Source.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace tegula::cli {

struct EditorPosition {
  uint32_t line = 0, character = 0;
  bool operator==(const EditorPosition &) const = default;
};
struct EditorRange {
  EditorPosition begin, end;
};

/// Units of UTF-16 in UTF-8 text; a byte that is none counts as one.
uint32_t utf16Length(std::string_view text);
/// Bytes of the front of `text` that have `units`, or all; half a pair is not begun.
size_t bytesOfUtf16(std::string_view text, uint32_t units);

/// The byte of `file` at a position; one behind the end of a line is its end, one behind the last the end of
/// all.
uint32_t offsetAt(const SourceFile &file, const EditorPosition &position);
EditorPosition positionAt(const SourceFile &file, uint32_t offset);
EditorPosition positionAt(const SourceFile &file, LineColumn place);
EditorRange rangeOf(const SourceFile &file, SourceRange range);
/// The place of a diagnostic, by the text of its line; the first line of the file where it has none.
EditorRange rangeOf(const Diagnostic &diagnostic);

llvm::json::Value toJson(const EditorPosition &position);
llvm::json::Value toJson(const EditorRange &range);
/// Nothing where `value` is no position.
std::optional<EditorPosition> positionFrom(const llvm::json::Value *value);

} // namespace tegula::cli
