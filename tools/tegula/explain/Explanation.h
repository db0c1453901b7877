// Makes the document of a kernel: compiles it, runs it on the emulator, assembles it where an assembler is.
#pragma once

#include "dialect/image/Result.h"
#include "tools/insight/Document.h"
#include "tools/tegula/explain/Subject.h"

namespace tegula::cli {

/// Explains `subject`. Errors: those of compiling and running, whose diagnostics come with them.
runtime::Result<explain::Document> explainSubject(const Subject &subject);

} // namespace tegula::cli
