#include "tools/tegula/explain/CompiledKernel.h"

#include "compiler/driver/ParsedSource.h"
#include "runtime/device/assembler/Assembler.h"

namespace tegula::cli {

using runtime::ErrorKind;
using runtime::Result;

void addCompiled(explain::Document &document, const ParsedSource &source, const KernelInfo &kernel,
                 const CompileResult &result, const explain::ReadSource &read) {
  document.file = source.file().path();
  document.kernel = kernel.name;
  document.line = kernel.line;
  explain::addCompilation(document, result, read);
  explain::addNames(document, tegula::namesOf(source, document.spec).names);
}

Result<std::optional<runtime::MachineCode>> machineCodeOf(const KernelImage &image) {
  Result<runtime::MachineCode> code = runtime::assembleWithoutDevice(image.ptx, {.arch = image.target});
  if (code)
    return std::optional(std::move(*code));
  if (code.error().kind == ErrorKind::Unavailable)
    return std::optional<runtime::MachineCode>();
  return code.error();
}

void addAssembled(explain::Document &document, const KernelImage &image, const runtime::MachineCode &code) {
  const uint32_t registerLimit = document.resources.registerLimit;
  document.resources = explain::resourcesOf(image, &code);
  document.resources.registerLimit = registerLimit;
  explain::addMachineCode(document, code);
}

} // namespace tegula::cli
