// Turns MLIR's diagnostics into ours, and into remarks.
#pragma once

#include "compiler/driver/ParsedSource.h"
#include "compiler/driver/Remark.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace tegula {

/// Puts `diagnostic` at the innermost place of `location`; the calls that led there become notes.
/// Lines are shown where they are of one of `sources`.
void setPlace(Diagnostic &diagnostic, mlir::Location location, const SourceFiles &sources);

/// `from` as one of ours. After the front end an error is the author's only where it says so (AuthorError.h):
/// any other says that this compiler broke a promise it made itself, and is marked so.
Diagnostic fromMlir(mlir::Diagnostic &from, const SourceFiles &sources);

/// Does the same for the text of a stage written by hand: every error is the author's.
Diagnostic fromText(mlir::Diagnostic &from, const SourceFile &source);

/// While it lives, every remark made on `context` is appended to `remarks`.
class RemarkCollection {
public:
  RemarkCollection(mlir::MLIRContext &context, std::vector<Remark> &remarks);
  ~RemarkCollection();
  RemarkCollection(const RemarkCollection &) = delete;
  RemarkCollection &operator=(const RemarkCollection &) = delete;

private:
  mlir::MLIRContext &context;
};

} // namespace tegula
