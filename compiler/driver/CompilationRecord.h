// A compilation as a line of JSON, so that it can be made again in another process: what TEGULA_RECORD writes
// and `tegula bundle` reads.
//
// A line is a program or a kernel of one. Programs come first, and kernels name them by `id`:
//
//     {"program": "1f..", "entry": 0, "units": [{"path": .., "text": .., "line": 1, "names": {..}}]}
//     {"program": "77..", "path": .., "text": .., "own_folder": true, "folders": [..], "values": {..}}
//     {"kernel": "add_kernel", "of": "1f..", "args": {"x_ptr": "*fp32:16", "BLOCK": [1024]}, ...}
//
// Values that are known when compiling have the forms that BoundValueJson.h lists. A function of the
// host is its name alone: of a program that calls one, the kernel's line holds stage `tile`, which has all
// that the host computed.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "compiler/spec/SourceUnit.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tegula {

/// A program as a compilation was given it.
struct RecordedProgram {
  /// A host's; empty for a file.
  std::vector<SourceUnit> units;
  size_t entry = 0;
  /// A file, and where its imports are looked for (`runtime/jit/files/ModuleFiles.h`).
  std::string path, text;
  bool searchesOwnFolder = false;
  std::vector<std::string> folders;
  std::map<std::string, BoundValue> values;

  bool isFile() const { return units.empty(); }
};

/// A parameter that launches give, with its type in the spelling of signatures.
struct RecordedParameter {
  std::string name, type;
};

/// A kernel compiled from a program.
struct RecordedKernel {
  std::string program; ///< the `id` of its program
  KernelSpec spec;
  std::string entryName;                     ///< what its code calls it; empty for the name in the source
  std::vector<RecordedParameter> parameters; ///< of launches, in order
  bool cooperative = false, programmatic = false;
  std::string tile;     ///< its stage `tile` with places, where the program calls the host; else empty
};

/// A text that is to be found again, such as what tuning chose.
struct RecordedNote {
  std::string name, text;
};

/// Returns the line, which ends in a newline. `id` is the caller's: equal for equal programs.
std::string recordLine(const RecordedProgram &program, std::string_view id);
std::string recordLine(const RecordedKernel &kernel);
std::string recordLine(const RecordedNote &note);

/// A program with its id.
struct IdentifiedProgram {
  std::string id;
  RecordedProgram program;
};
using RecordLine = std::variant<IdentifiedProgram, RecordedKernel, RecordedNote>;

/// Reads a line. On failure the string says what is wrong with it.
std::variant<RecordLine, std::string> readRecordLine(std::string_view line);

} // namespace tegula
