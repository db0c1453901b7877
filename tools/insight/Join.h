// Joins into one document what a compilation, an assembler and a run tell of a kernel.
#pragma once

#include "compiler/driver/CompileResult.h"
#include "compiler/driver/names/KernelNames.h"
#include "tools/insight/Document.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tegula::explain {

/// Reads the text of a source file; nothing where it cannot.
using ReadSource = std::function<std::optional<std::string>(const std::string &path)>;

/// Takes in a compilation with `CompileOptions::insight` and `remarks` that made an image. Requires
/// `document.spec`.
void addCompilation(Document &document, const CompileResult &result, const ReadSource &read);
/// Names the values of the stages that the source binds to names. Requires `addCompilation`.
void addNames(Document &document, const std::vector<KernelName> &names);
/// Takes in the machine code of the image: resources, and which instruction comes from which line of PTX.
void addMachineCode(Document &document, const runtime::MachineCode &code);
/// Takes in the counts of a run of the image on the emulator.
void addRun(Document &document, const runtime::EmulatorReport &report, runtime::KernelProfile profile);
/// Returns what a block of the image takes; `code` is null where nothing was assembled.
Resources resourcesOf(const KernelImage &image, const runtime::MachineCode *code);

} // namespace tegula::explain
