#include "tools/tegula/Toolkit.h"

#include "runtime/device/ToolkitProgram.h"

#include <fmt/format.h>

#include <vector>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// What a program printed. Errors: Driver with what it said where it failed.
static Result<std::string> outputOf(const std::vector<std::string> &words,
                                    const runtime::TemporaryFolder &folder) {
  Result<runtime::ProgramOutput> ran = runtime::runProgram(words, folder);
  if (!ran)
    return ran.error();
  if (ran->succeeded)
    return std::move(ran->output);
  std::string &said = ran->messages;
  while (said.ends_with('\n'))
    said.pop_back();
  return Error{ErrorKind::Driver, fmt::format("`{}` failed{}{}", words[0], said.empty() ? "" : ":\n", said)};
}

static Error missingTool(std::string_view what, std::string_view names) {
  const std::string home = runtime::toolkitHome();
  return {ErrorKind::Unavailable,
          fmt::format("--emit=sass needs {} of a CUDA toolkit: looked for {} {}on PATH and in "
                      "/usr/local/cuda/bin",
                      what, names, home.empty() ? "" : fmt::format("in {}/bin, ", home))};
}

Result<std::string> disassemble(std::string_view ptx, std::string_view target) {
  const std::string assembler = runtime::findToolkitProgram({"ptxas"});
  if (assembler.empty())
    return missingTool("the assembler", "`ptxas`");
  const std::string disassembler = runtime::findToolkitProgram({"nvdisasm", "cuobjdump"});
  if (disassembler.empty())
    return missingTool("a disassembler", "`nvdisasm` and `cuobjdump`");

  const runtime::TemporaryFolder folder;
  if (Result<void> made = folder.made(); !made)
    return made.error();
  if (Result<void> written = folder.write("kernel.ptx", ptx); !written)
    return written.error();
  const std::string cubin = folder.pathOf("kernel.cubin");
  Result<std::string> assembled = outputOf(
      {assembler, fmt::format("-arch={}", target), folder.pathOf("kernel.ptx"), "-o", cubin}, folder);
  if (!assembled)
    return assembled.error();
  return outputOf({disassembler, disassembler.ends_with("nvdisasm") ? "-c" : "-sass", cubin}, folder);
}

} // namespace tegula::cli
