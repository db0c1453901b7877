// The toolkit's assembler as a program.
#include "runtime/device/assembler/AssemblerLog.h"
#include "runtime/device/assembler/ToolkitProgram.h"
#include "runtime/host/ChildProcess.h"

#include <fmt/format.h>

#include <unistd.h>

namespace tegula::runtime {

namespace {

class Ptxas final : public Assembler {
public:
  explicit Ptxas(std::string path) : path(std::move(path)), nameText(fmt::format("`{}`", this->path)) {}
  const std::string &name() const override { return nameText; }
  Result<MachineCode> assemble(std::string_view ptx, const AssembleOptions &options) const override;

private:
  std::string path, nameText;
};

} // namespace

Result<MachineCode> Ptxas::assemble(std::string_view ptx, const AssembleOptions &options) const {
  const TemporaryFolder folder;
  TRY(folder.made());
  TRY(folder.write("kernel.ptx", ptx));
  std::vector<std::string> words{path, "-arch=" + options.arch, "-O3", "-v"};
  if (options.lineInfo)
    words.push_back("-lineinfo");
  if (options.maxRegisters)
    words.push_back(fmt::format("-maxrregcount={}", options.maxRegisters));
  if (!options.fuseMultiplyAdd)
    words.push_back("--fmad=false");
  words.insert(words.end(), {folder.pathOf("kernel.ptx"), "-o", folder.pathOf("kernel.cubin")});
  const ProgramEnd ran = TRY(runProgram({.path = path, .words = std::move(words)}, folder));
  if (!ran.succeeded())
    return assemblyError(nameText, options.arch, ran.messages, ptx);
  std::string bytes = TRY(folder.read("kernel.cubin"));
  return MachineCode{std::move(bytes), readResources(ran.messages), readWarnings(ran.messages), nameText};
}

Result<std::shared_ptr<const Assembler>> openPtxas(std::string path,
                                                   const std::vector<std::string> &folders) {
  for (const std::string &folder : folders)
    if (path.empty() && access((folder + "/ptxas").c_str(), X_OK) == 0)
      path = folder + "/ptxas";
  if (path.empty())
    path = findToolkitProgram({"ptxas"});
  if (path.empty())
    return Error{ErrorKind::Unavailable,
                 "no `ptxas`: it is not in CUDA_HOME, on PATH or in /usr/local/cuda/bin"};
  if (access(path.c_str(), X_OK) != 0)
    return Error{ErrorKind::Unavailable, fmt::format("no `ptxas`: `{}` is no program", path)};
  return std::shared_ptr<const Assembler>(std::make_shared<Ptxas>(std::move(path)));
}

} // namespace tegula::runtime
