// Writes what this process compiles into the file that TEGULA_RECORD names, for `tegula bundle`.
//
// Any number of processes may write to one file: each line is added at once. What was written before stays.
#pragma once

#include "compiler/driver/CompilationRecord.h"

#include <memory>
#include <string>

namespace tegula::jit {

/// Returns true if TEGULA_RECORD names a file, which is read once.
bool isRecording();

/// Adds a kernel, with its program where this process has not written that: once, however often it comes. A
/// file that cannot be written costs a warning on standard error, once.
void record(const RecordedProgram &program, const RecordedKernel &kernel);
/// Adds a text under a name.
void record(const RecordedNote &note);

} // namespace tegula::jit
