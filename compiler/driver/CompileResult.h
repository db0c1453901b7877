// Options and result of a compilation.
#pragma once

#include "compiler/cost/Terms.h"
#include "compiler/driver/Remark.h"
#include "compiler/driver/Stage.h"
#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/insight/Insight.h"
#include "dialect/image/KernelImage.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tegula {

/// Result of a compilation. `image` is present exactly when all stages ran and no diagnostic is an error:
/// without one, and without an error, the compilation ended where its options said.
struct CompileResult {
  std::optional<KernelImage> image;
  std::vector<Diagnostic> diagnostics;    ///< errors, and warnings and static prints of a success
  std::vector<Remark> remarks;            ///< filled when asked for
  std::map<Stage, std::string> stageText; ///< of each stage in `CompileOptions::emit` that was reached
  std::shared_ptr<const insight::Insight> insight; ///< null where it was not asked for
};

struct CompileOptions {
  /// The stages whose text is wanted. The compilation ends with the last of them; where there is none it goes
  /// on to the image.
  std::set<Stage> emit;
  bool remarks = false;
  /// Read what each stage tells of the kernel into `CompileResult::insight`. The code is the same.
  bool insight = false;
  /// Tell there also which registers of the PTX hold which elements of tensors. Requires `insight`.
  bool heldValues = false;
  /// Asked between stages: true ends the compilation there, without an image.
  std::function<bool()> isStopped;
  std::string dumpDir; ///< when set, every stage's text is written there as `<kernel>.<stage>`
  /// Called before the later stages with all that the image will be made of: stage Tile with its places in
  /// the source. True ends the compilation there, without an image: the caller has it already.
  std::function<bool(const std::string &tile)> isKnown;
  /// The kernel's name in the compiled code, which profilers show; empty for the name in the source.
  /// Characters that PTX cannot hold are replaced as in that name.
  std::string entryName;
};

/// The amounts of work in a launch, or why they are not known.
struct TermsResult {
  std::optional<cost::KernelTerms> terms;
  std::string unknown;                 ///< why there are none, where it is no error of the kernel
  std::vector<Diagnostic> diagnostics; ///< errors of the kernel
};

} // namespace tegula
