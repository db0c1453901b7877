#include "tools/tegula/lsp/commands/KernelCommands.h"

#include "runtime/host/Files.h"
#include "tools/tegula/check/LaunchCommand.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <filesystem>

namespace tegula::cli {

namespace json = llvm::json;
using runtime::Result;

json::Array commandLenses(const Analysis &analysis, const std::string &kernel, const json::Value &range) {
  const auto lens = [&](const char *title, const char *command) {
    return json::Object{
        {"range", range},
        {"command", json::Object{{"title", title},
                                 {"command", command},
                                 {"arguments", json::Array{json::Object{{"uri", analysis.document.uri},
                                                                        {"kernel", kernel}}}}}}};
  };
  return json::Array{lens("Explain", explainLensCommand), lens("Debug", debugLensCommand)};
}

std::optional<KernelAddress> kernelAddress(const json::Object &params) {
  const json::Array *arguments = params.getArray("arguments");
  const json::Object *first = arguments && !arguments->empty() ? arguments->front().getAsObject() : nullptr;
  const std::optional<llvm::StringRef> uri = first ? first->getString("uri") : std::nullopt;
  const std::optional<llvm::StringRef> kernel = first ? first->getString("kernel") : std::nullopt;
  if (!uri || !kernel)
    return std::nullopt;
  return KernelAddress{uri->str(), kernel->str()};
}

/// Returns true if the document is a file as the editor has it.
static bool isSaved(const OpenDocument &document) {
  const Result<std::string> text = runtime::readFile(document.path, SourceFile::maxBytes);
  return text && *text == *document.text;
}

PageOrder explainOrder(const Analysis &analysis, const std::string &kernel, const std::string &record) {
  const OpenDocument &document = analysis.document;
  const std::filesystem::path path(document.path);
  PageOrder order{.name = fmt::format("{}-{}", path.stem().string(), kernel),
                  .words = {"explain"},
                  .text = std::nullopt,
                  .made = {}};
  if (isSaved(document)) {
    order.words.push_back(document.path);
  } else {
    order.words.push_back("-");
    order.text = *document.text;
    if (std::error_code none; std::filesystem::is_directory(path.parent_path(), none))
      order.words.push_back("--import-path=" + path.parent_path().string());
  }
  order.words.insert(order.words.end(), {"-k", kernel});
  // It may not be there yet.
  if (std::error_code none; std::filesystem::exists(record, none))
    order.words.push_back("--record=" + record);
  return order;
}

Result<json::Object> debugConfiguration(const Analysis &analysis, const KernelCheck &check,
                                        const ReadCommand &readCommand) {
  const std::filesystem::path path(analysis.document.path);
  if (std::error_code none; !std::filesystem::is_regular_file(path, none))
    return usageError(
        fmt::format("`{}` is no file: it can be debugged when it is saved", analysis.document.path));
  const LaunchCommand command =
      TRY(debugCommandOf(*analysis.source, check.kernel, check.specialisation, readCommand));
  json::Array words{path.filename().string()};
  for (const std::string &word : command.words)
    words.push_back(json::fixUTF8(word));
  return json::Object{{"type", "tegula"},          {"request", "launch"},
                      {"name", check.kernel.name}, {"cwd", path.parent_path().string()},
                      {"args", std::move(words)},  {"guessed", json::Array(command.guessed)}};
}

std::string debugLine(const json::Object &configuration) {
  std::vector<std::string> words{"tegula", "debug"};
  for (const json::Value &word : *configuration.getArray("args"))
    words.push_back(word.getAsString()->str());
  return shellText(words);
}

} // namespace tegula::cli
