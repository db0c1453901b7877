// A version of an open document with what was found out about it.
#pragma once

#include "compiler/driver/ParsedSource.h"
#include "compiler/driver/names/KernelNames.h"
#include "tools/tegula/check/FileCheck.h"
#include "tools/tegula/lsp/Reports.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace tegula::cli {

/// A document as the editor has it.
struct OpenDocument {
  std::string uri;
  std::string path; ///< of a file; of anything else the URI itself
  std::shared_ptr<const std::string> text;
  int64_t version = 0;
};

/// A document with its tree, and what checking it found. Immutable but for the reports, which come later.
class Analysis {
public:
  OpenDocument document;
  std::shared_ptr<const ParsedSource> source;
  FileCheck check;
  /// The last version before this one whose text parsed, where this one's does not; else null.
  std::shared_ptr<const Analysis> lastGood;
  /// The last version before this one without errors, where this one has some; else null.
  std::shared_ptr<const Analysis> lastClean;

  /// Returns what compiling the kernels told, of this version or of one before; null where nothing is known
  /// yet.
  std::shared_ptr<const Reports> reports() const;
  void setReports(std::shared_ptr<const Reports> made) const;

  const SourceFile &file() const { return source->file(); }
  /// The newest version that has a tree.
  const Analysis &parsed() const { return source->hasErrors && lastGood ? *lastGood : *this; }
  /// The names in all kernels with their types, each under what its kernel was checked for; those of helpers
  /// as their callers call them. A kernel with an error has those that the error leaves and, in other lines
  /// that are as they were, those of the last version without. Evaluated at the first call.
  const std::vector<KernelName> &names() const;

private:
  /// Adds the names of the last clean version in lines of which nothing is known, but for the functions of
  /// `whole`, of which all is known.
  void addFormerNames(const std::set<const ast::FunctionStmt *> &whole) const;
  /// The jit function that a line, counted from 1, ends in, or null.
  const ast::FunctionStmt *functionAt(uint32_t line) const;

  mutable std::mutex mutex; ///< guards `told`
  mutable std::shared_ptr<const Reports> told;
  mutable std::once_flag once;
  mutable std::vector<KernelName> found;
};

/// The file that a URI names, or the URI where it names none.
std::string pathOfUri(const std::string &uri);
/// The URI of a file.
std::string uriOfPath(const std::string &path);

/// Parses and checks; `options.isStopped` ends it early, with what was found until then.
std::shared_ptr<const Analysis> analyse(const OpenDocument &document,
                                        const std::shared_ptr<const Analysis> &before,
                                        const CheckOptions &options);

/// The smallest jit function of the file around `offset`, or null.
const ast::FunctionStmt *jitFunctionAt(const ParsedSource &source, uint32_t offset);

} // namespace tegula::cli
