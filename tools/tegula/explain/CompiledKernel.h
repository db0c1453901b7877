// Takes a compiled kernel into a document: what its compilation told, and what the assembler makes of it.
#pragma once

#include "compiler/driver/CompileResult.h"
#include "compiler/driver/KernelInfo.h"
#include "dialect/image/Result.h"
#include "tools/insight/Join.h"

#include <optional>

namespace tegula {
class ParsedSource;
}

namespace tegula::cli {

/// Takes in `result`, of a compilation of `kernel` for `document.spec` that made an image with insight and
/// remarks.
void addCompiled(explain::Document &document, const ParsedSource &source, const KernelInfo &kernel,
                 const CompileResult &result, const explain::ReadSource &read);

/// Assembles `image`; nothing where no assembler is found. Errors: Driver.
runtime::Result<std::optional<runtime::MachineCode>> machineCodeOf(const KernelImage &image);

/// Takes in what `code`, of the compiled image, takes of a multiprocessor.
void addAssembled(explain::Document &document, const KernelImage &image, const runtime::MachineCode &code);

} // namespace tegula::cli
