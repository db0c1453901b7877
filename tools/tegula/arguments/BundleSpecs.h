// Reads the files of specialisations that `tegula bundle` compiles: recorded by a run, or written by hand.
//
// A line that begins with a brace is a recorded one (`compiler/driver/CompilationRecord.h`). Any other has
// the words that `tegula compile` takes, as a shell would read them, with the name of the function in C and
// what its launch asks for:
//
//     # a comment
//     vector_add.py -D BLOCK_SIZE=1024 --sig 'x_ptr=*fp32:16' --sig n=i32:16+ --name add
//
// FILE in it is looked for in the folder of the specialisations.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/jit/build/BundleBuilder.h"
#include "tools/tegula/command/Commands.h"
#include "tools/tegula/command/Options.h"

#include <map>
#include <string>
#include <vector>

namespace tegula::cli {

struct BundleSpecs {
  std::vector<jit::BundleRequest> requests;
  std::map<std::string, std::string> notes; ///< recorded texts by their names
};

/// Makes the table of the options that a line written by hand may have.
using LineTable = CommandTable (*)(BundleLine &line);

/// Reads `files`, in order. `arch` is the architecture for which a line written by hand is compiled, `table`
/// says what it may say. Errors: Io; InvalidArgument and Compile, which name the file and the line.
runtime::Result<BundleSpecs> readBundleSpecs(const std::vector<std::string> &files, const std::string &arch,
                                             LineTable table);

/// The words of `line`, as a shell would read them: quotes of both kinds, a backslash before a character, and
/// comments. On failure the error says what is not closed.
runtime::Result<std::vector<std::string>> splitWords(std::string_view line);

} // namespace tegula::cli
