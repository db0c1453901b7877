#include "tools/tegula/arguments/Input.h"

#include "compiler/frontend/syntax/text/Source.h"
#include "dialect/image/KernelImageText.h"
#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileError.h"
#include "runtime/jit/program/CompiledSource.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <filesystem>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// Returns true if the compiler can resume from the text of `stage`.
static bool canGoOnFrom(Stage stage) { return stage != Stage::Ast && stage != Stage::LlvmIr; }

/// The bytes of the file; who names a pipe or a device learns what reads from one.
static Result<std::string> readText(const std::string &file) {
  if (file == "-")
    return runtime::readStandardInput(SourceFile::maxBytes);
  Result<std::string> text = runtime::readFile(file, SourceFile::maxBytes);
  std::error_code none;
  if (!text && (std::filesystem::is_fifo(file, none) || std::filesystem::is_character_file(file, none)))
    text.error().text += "; `-` is standard input";
  return text;
}

Result<Input> readInput(const KernelOptions &options) {
  const bool isStandardInput = options.file == "-";
  std::string text = TRY(readText(options.file));
  Input input{isStandardInput ? "<stdin>" : options.file, std::move(text), std::nullopt};
  if (options.from.empty()) {
    input.stage = stageOfText(input.text);
    return input;
  }
  if (options.from == "kernels")
    return input;
  input.stage = parseStage(options.from);
  if (!input.stage || !canGoOnFrom(*input.stage))
    return usageError(
        fmt::format("expected kernels, tile, distributed, scheduled, llvm or ptx after `--from`, found `{}`",
                    options.from));
  return input;
}

/// Reads `-D MODULE.NAME=VALUE`.
static Result<void> readModuleValues(const FileOptions &options, jit::ImportSearch &imports) {
  for (const std::string &text : options.constexprs) {
    const auto [name, valueText] = TRY(splitAssignment(text, "-D"));
    if (!isOfModule(name))
      continue;
    Result<BoundValue> value = parseConstexpr(valueText);
    if (!value)
      return usageError(fmt::format("value of `{}`: {}", name, value.error().text));
    if (!imports.values.emplace(name, std::move(*value)).second)
      return usageError(fmt::format("`{}` is given twice", name));
  }
  return {};
}

Result<jit::ImportSearch> importsOf(const FileOptions &options) {
  jit::ImportSearch imports{
      .searchesOwnFolder = options.file != "-", .folders = options.importPaths, .values = {}};
  for (const std::string &folder : options.importPaths)
    if (std::error_code none; !std::filesystem::is_directory(folder, none))
      return usageError(fmt::format("expected a folder after `--import-path`, found `{}`", folder));
  TRY(readModuleValues(options, imports));
  return imports;
}

Result<std::shared_ptr<jit::JitProgram>> parseKernels(const FileOptions &options, const Input &input) {
  const jit::ImportSearch imports = TRY(importsOf(options));
  return jit::JitProgram::parse(input.path, input.text, imports);
}

Result<void> checkOptions(const KernelOptions &options, const Input &input) {
  const std::pair<const char *, bool> given[] = {{"-k", !options.kernel.empty()},
                                                 {"-D", !options.constexprs.empty()},
                                                 {"--import-path", !options.importPaths.empty()},
                                                 {"--config", !options.config.empty()},
                                                 {"--num-warps", !options.numWarps.empty()},
                                                 {"--num-stages", !options.numStages.empty()},
                                                 {"--num-ctas", !options.numCtas.empty()},
                                                 {"--without", !options.without.empty()},
                                                 {"--split-k", options.splitK},
                                                 {"--extern-lib", !options.externLibs.empty()},
                                                 {"--triton-version", !options.tritonVersion.empty()}};
  for (const auto &[option, isGiven] : given)
    if (input.stage && isGiven)
      return usageError(fmt::format("`{}` is for a file of kernels: `{}` is the text of stage `{}`", option,
                                    input.path, stageName(*input.stage)));
  return {};
}

Result<KernelImage> imageOf(const Input &input) {
  if (input.stage == Stage::Ptx) {
    Result<KernelImage> image = readKernelImage(input.text);
    if (!image)
      return Error{ErrorKind::Io, fmt::format("cannot read `{}`: {}", input.path, image.error().text)};
    if (Result<void> agrees = checkCode(*image); !agrees)
      return Error{ErrorKind::Io, fmt::format("cannot read `{}`: its code is not as its first lines say: {}",
                                              input.path, agrees.error().text)};
    return image;
  }
  CompileOptions options;
  options.dumpDir = runtime::environment("TEGULA_DUMP_DIR");
  CompileResult result = jit::sharedCompiler().resume(input.path, input.text, *input.stage, options);
  if (!result.image)
    return jit::compileError(std::move(result.diagnostics));
  say(render(result.diagnostics));
  return std::move(*result.image);
}

} // namespace tegula::cli
