#include "tools/tegula/output/Toolkit.h"

#include "runtime/device/assembler/ToolkitProgram.h"
#include "runtime/host/ChildProcess.h"
#include "runtime/host/Environment.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Result<std::string> disassemble(std::string_view machineCode) {
  const std::string program = runtime::findToolkitProgram({"nvdisasm", "cuobjdump"});
  if (program.empty()) {
    const std::string home = runtime::environment("CUDA_HOME");
    return Error{ErrorKind::Unavailable,
                 fmt::format("--emit=sass needs a disassembler of a CUDA toolkit: looked for `nvdisasm` and "
                             "`cuobjdump` {}on PATH and in /usr/local/cuda/bin",
                             home.empty() ? "" : fmt::format("in {}/bin, ", home))};
  }
  const runtime::TemporaryFolder folder;
  TRY(folder.made());
  TRY(folder.write("kernel.cubin", machineCode));
  std::vector<std::string> words{program, program.ends_with("nvdisasm") ? "-c" : "-sass",
                                 folder.pathOf("kernel.cubin")};
  runtime::ProgramEnd ran = TRY(runtime::runProgram({.path = program, .words = std::move(words)}, folder));
  if (ran.succeeded())
    return std::move(ran.output);
  while (ran.messages.ends_with('\n'))
    ran.messages.pop_back();
  return Error{ErrorKind::Driver,
               fmt::format("`{}` failed{}{}", program, ran.messages.empty() ? "" : ":\n", ran.messages)};
}

} // namespace tegula::cli
