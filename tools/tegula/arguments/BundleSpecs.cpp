#include "tools/tegula/arguments/BundleSpecs.h"

#include "runtime/host/Files.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/output/Status.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace tegula::cli {

using runtime::Error;
using runtime::Result;

Result<std::vector<std::string>> splitWords(std::string_view line) {
  std::vector<std::string> words;
  bool inWord = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || c == '\r') {
      inWord = false;
      continue;
    }
    if (c == '#' && !inWord)
      break;
    if (!inWord)
      words.emplace_back();
    inWord = true;
    std::string &word = words.back();
    if (c == '\'' || c == '"') {
      const size_t begin = ++i;
      while (i < line.size() && line[i] != c) {
        if (c == '"' && line[i] == '\\' && i + 1 < line.size())
          ++i;
        word += line[i++];
      }
      if (i == line.size())
        return usageError(fmt::format("expected {} after `{}`", c, line.substr(begin - 1)));
    } else if (c == '\\' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += c;
    }
  }
  return words;
}

namespace {

/// Reads one file.
class SpecReader {
public:
  SpecReader(std::string file, std::string arch, LineTable table, BundleSpecs &specs)
      : file(std::move(file)), arch(std::move(arch)), table(table), specs(specs) {}

  Result<void> read();

private:
  Result<void> readLine(const std::string &line);
  Result<void> readRecorded(const std::string &line);
  Result<void> readWords(const std::vector<std::string> &words);

  const std::string file, arch;
  const LineTable table;
  BundleSpecs &specs;
  std::map<std::string, std::shared_ptr<const RecordedProgram>> programs; ///< by id
  std::set<std::string> seen; ///< lines: processes that write to one file write the same ones
};

Result<void> SpecReader::read() {
  // What was recorded of a large program is large.
  constexpr size_t maxBytes = size_t(1) << 30;
  const std::string text = TRY(runtime::readFile(file, maxBytes));
  size_t number = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    ++number;
    if (Result<void> done = readLine(line.str()); !done) {
      Error error = done.error();
      error.text = fmt::format("{}:{}: {}", file, number, error.text);
      return error;
    }
  }
  return {};
}

Result<void> SpecReader::readLine(const std::string &line) {
  if (line.starts_with('{'))
    return seen.insert(line).second ? readRecorded(line) : Result<void>();
  const std::vector<std::string> words = TRY(splitWords(line));
  return words.empty() ? Result<void>() : readWords(words);
}

Result<void> SpecReader::readRecorded(const std::string &line) {
  std::variant<RecordLine, std::string> parsed = readRecordLine(line);
  if (const auto *wrong = std::get_if<std::string>(&parsed))
    return usageError("not a recorded line: " + *wrong);
  RecordLine &read = std::get<RecordLine>(parsed);
  if (auto *program = std::get_if<IdentifiedProgram>(&read)) {
    programs.emplace(program->id, std::make_shared<const RecordedProgram>(std::move(program->program)));
  } else if (auto *note = std::get_if<RecordedNote>(&read)) {
    specs.notes.insert_or_assign(note->name, std::move(note->text));
  } else {
    RecordedKernel &kernel = std::get<RecordedKernel>(read);
    const auto program = programs.find(kernel.program);
    if (program == programs.end())
      return usageError(fmt::format("the program of kernel `{}` is not recorded above", kernel.spec.kernel));
    specs.requests.push_back({program->second, std::move(kernel), ""});
    jit::BundleRequest &added = specs.requests.back();
    added.name = added.kernel.spec.kernel;
  }
  return {};
}

/// Reads `--launch`.
Result<void> readLaunch(const std::string &list, RecordedKernel &kernel) {
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    begin = end + 1;
    if (word == "cooperative")
      kernel.cooperative = true;
    else if (word == "programmatic")
      kernel.programmatic = true;
    else
      return usageError(
          fmt::format("expected cooperative or programmatic after `--launch`, found `{}`", word));
  }
  return {};
}

Result<void> SpecReader::readWords(const std::vector<std::string> &words) {
  BundleLine line;
  TRY(parseOptions(table(line), words));
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  line.file = (folder / line.file).string();
  for (std::string &path : line.importPaths)
    path = (folder / path).string();
  const Input input = TRY(readInput(line));
  if (input.stage)
    return usageError(fmt::format("expected a file of kernels, found stage `{}`", stageName(*input.stage)));
  std::shared_ptr<jit::JitProgram> program = TRY(parseKernels(line, input));
  const KernelChoice choice = TRY(chooseKernel(line, program, arch));
  const jit::ImportSearch imports = TRY(importsOf(line));
  RecordedKernel kernel{.spec = TRY(specOf(line, choice, arch))};
  TRY(readLaunch(line.launch, kernel));
  kernel.parameters = jit::launchParameters(*choice.kernel, kernel.spec);
  auto recorded =
      std::make_shared<RecordedProgram>(RecordedProgram{.path = input.path,
                                                        .text = input.text,
                                                        .searchesOwnFolder = imports.searchesOwnFolder,
                                                        .folders = imports.folders,
                                                        .values = imports.values});
  std::string name = line.name.empty() ? choice.kernel->name : line.name;
  specs.requests.push_back({std::move(recorded), std::move(kernel), std::move(name)});
  return {};
}

} // namespace

Result<BundleSpecs> readBundleSpecs(const std::vector<std::string> &files, const std::string &arch,
                                    LineTable table) {
  BundleSpecs specs;
  for (const std::string &file : files)
    TRY(SpecReader(file, arch, table, specs).read());
  return specs;
}

} // namespace tegula::cli
