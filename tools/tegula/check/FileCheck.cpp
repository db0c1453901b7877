#include "tools/tegula/check/FileCheck.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/frontend/syntax/ast/AstWalk.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/check/SpecComment.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace tegula::cli {

bool FileCheck::hasErrors() const { return jit::hasErrors(diagnostics); }

/// Returns true if the function returns a value: then other kernels call it, here or elsewhere.
static bool returnsValue(const ParsedSource &source, const KernelInfo &kernel) {
  const ast::FunctionStmt *function = guess::functionOf(source, kernel);
  bool returns = false;
  if (function)
    ast::walk(function->body, {[&](const ast::Stmt &stmt) {
                                 const auto *result = ast::as<ast::ReturnStmt>(&stmt);
                                 returns |= result && result->value;
                                 return stmt.kind != ast::StmtKind::Function;
                               },
                               [](const ast::Expr &) { return false; }});
  return returns;
}

/// In the order of the text, each once.
static void sortDiagnostics(std::vector<Diagnostic> &diagnostics, const std::string &path) {
  auto key = [&](const Diagnostic &one) {
    return std::tuple(one.file != path, one.file, one.line, one.column, one.message);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic &left, const Diagnostic &right) { return key(left) < key(right); });
  diagnostics.erase(
      std::unique(diagnostics.begin(), diagnostics.end(),
                  [&](const Diagnostic &left, const Diagnostic &right) { return key(left) == key(right); }),
      diagnostics.end());
}

FileCheck checkParsed(Compiler &compiler, const ParsedSource &source, const CheckOptions &options) {
  FileCheck check{source.file().path(), {}, {}};
  if (source.hasErrors) {
    check.diagnostics = source.diagnostics;
    return check;
  }
  for (const KernelInfo &listed : listKernels(source)) {
    if (options.isStopped && options.isStopped())
      break;
    KernelInfo kernel = listed;
    if (kernel.hasSeveralDefinitions)
      kernel = compiler.definition(source, kernel.name, options.target).value_or(listed);
    const bool isSpecified = readSpecComment(source, kernel).line != 0;
    if (kernel.calledInFile && !isSpecified)
      continue; // its callers show what it is called with
    std::vector<Diagnostic> found;
    if (!isSpecified && returnsValue(source, kernel)) {
      found = checkHelper(compiler, source, kernel, options);
    } else {
      check.kernels.push_back(checkKernel(compiler, source, kernel, options));
      found = check.kernels.back().diagnostics;
    }
    std::move(found.begin(), found.end(), std::back_inserter(check.diagnostics));
  }
  sortDiagnostics(check.diagnostics, check.path);
  return check;
}

/// Adds the files of a folder, as far as it can be read.
static void addFolder(const std::string &folder, std::vector<CheckedFile> &files) {
  namespace fs = std::filesystem;
  std::error_code failed;
  std::vector<std::string> found;
  fs::recursive_directory_iterator each(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && each != fs::recursive_directory_iterator(); each.increment(failed)) {
    const std::string name = each->path().filename();
    std::error_code none;
    if (each->is_directory(none)) {
      if (name.starts_with('.') || name == "__pycache__")
        each.disable_recursion_pending();
    } else if (name.ends_with(".py") && !name.starts_with('.')) {
      found.push_back(each->path());
    }
  }
  std::sort(found.begin(), found.end());
  for (std::string &path : found)
    files.push_back({std::move(path), false});
}

std::vector<CheckedFile> filesToCheck(const std::vector<std::string> &paths) {
  std::vector<CheckedFile> files;
  for (const std::string &path : paths) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none))
      addFolder(path, files);
    else
      files.push_back({path, true});
  }
  return files;
}

} // namespace tegula::cli
