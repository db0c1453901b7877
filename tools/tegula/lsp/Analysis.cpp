#include "tools/tegula/lsp/Analysis.h"

#include "runtime/jit/program/CompiledSource.h"
#include "tools/tegula/lsp/LineMap.h"
#include "tools/tegula/lsp/Positions.h"

#include "llvm/Support/LSP/Protocol.h"

#include <filesystem>
#include <set>

namespace tegula::cli {

std::string pathOfUri(const std::string &uri) {
  llvm::Expected<llvm::lsp::URIForFile> file = llvm::lsp::URIForFile::fromURI(uri);
  if (file && !file->file().empty())
    return file->file().str();
  if (!file)
    llvm::consumeError(file.takeError());
  return uri;
}

std::string uriOfPath(const std::string &path) {
  std::error_code none;
  const std::string absolute = std::filesystem::absolute(path, none);
  llvm::Expected<llvm::lsp::URIForFile> file = llvm::lsp::URIForFile::fromFile(absolute);
  if (file)
    return file->uri().str();
  llvm::consumeError(file.takeError());
  return path;
}

std::shared_ptr<const Analysis> analyse(const OpenDocument &document,
                                        const std::shared_ptr<const Analysis> &before,
                                        const CheckOptions &options) {
  const jit::ImportSearch imports{
      .searchesOwnFolder = document.path != document.uri, .folders = {}, .values = {}};
  Compiler &compiler = jit::sharedCompiler();
  auto made = std::make_shared<Analysis>();
  made->document = document;
  if (before)
    made->setReports(before->reports());
  made->source = compiler.parse(document.path, *document.text, imports.options(document.path));
  if (made->source->hasErrors && before)
    made->lastGood = before->source->hasErrors ? before->lastGood : before;
  // Python without kernels is other servers' to read.
  const bool hasKernels = document.text->find("jit") != std::string::npos;
  made->check = hasKernels ? checkParsed(compiler, *made->source, options) : FileCheck{document.path, {}, {}};
  if (made->check.hasErrors() && before)
    made->lastClean = before->check.hasErrors() ? before->lastClean : before;
  return made;
}

std::shared_ptr<const Reports> Analysis::reports() const {
  std::lock_guard lock(mutex);
  return told;
}

void Analysis::setReports(std::shared_ptr<const Reports> made) const {
  std::lock_guard lock(mutex);
  told = std::move(made);
}

const ast::FunctionStmt *Analysis::functionAt(uint32_t line) const {
  return jitFunctionAt(*source, offsetAt(file(), {line - 1, uint32_t(file().lineText(line).size())}));
}

void Analysis::addFormerNames(const std::set<const ast::FunctionStmt *> &whole) const {
  const LineMap lines(lastClean->file().text(), file().text());
  std::set<uint32_t> known;
  for (const KernelName &name : found)
    if (name.place.file == file().path())
      known.insert(name.place.line);
  for (KernelName name : lastClean->names()) {
    const bool isHere = name.place.file == file().path() && name.place.line;
    const std::optional<uint32_t> line = isHere ? lines.find(name.place.line - 1) : std::nullopt;
    if (!line || known.contains(*line + 1))
      continue;
    name.place.line = *line + 1;
    if (const ast::FunctionStmt *function = functionAt(name.place.line);
        function && !whole.contains(function))
      found.push_back(std::move(name));
  }
}

const std::vector<KernelName> &Analysis::names() const {
  std::call_once(once, [&] {
    std::set<const ast::FunctionStmt *> whole;
    for (const KernelCheck &kernel : check.kernels) {
      KernelNames names = namesOf(*source, kernel.specialisation.spec);
      if (!names.hasErrors())
        for (const KernelName &name : names.names)
          if (name.place.file == file().path() && name.place.line)
            whole.insert(functionAt(name.place.line));
      std::move(names.names.begin(), names.names.end(), std::back_inserter(found));
    }
    if (lastClean)
      addFormerNames(whole);
  });
  return found;
}

const ast::FunctionStmt *jitFunctionAt(const ParsedSource &source, uint32_t offset) {
  const ast::FunctionStmt *found = nullptr;
  for (const ast::JitFunction &one : ast::jitFunctions(source.module())) {
    const SourceRange &range = one.function->range;
    if (range.begin <= offset && offset <= range.end &&
        (!found || range.end - range.begin < found->range.end - found->range.begin))
      found = one.function;
  }
  return found;
}

} // namespace tegula::cli
