// The objects behind the handles of tegula_c.h.
#pragma once

#include "runtime/api/c/RuntimeHandles.h"
#include "runtime/api/tegula_c.h"
#include "runtime/jit/launch/Jit.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct tegula_program {
  std::shared_ptr<tegula::jit::JitProgram> program;
};

struct tegula_kernel {
  std::shared_ptr<tegula::jit::JitKernel> kernel;
  std::vector<std::string> parameterTypes; ///< to which `parameters` points
  std::vector<tegula_parameter> parameters;
};

struct tegula_variant {
  std::shared_ptr<tegula::jit::JitKernel> kernel;  ///< keeps `variant` alive; null where `own` does
  std::unique_ptr<const tegula::jit::Variant> own; ///< of one that was loaded from PTX
  const tegula::jit::Variant *variant;
  std::mutex mutex;                          ///< guards `stages`, also while one is made
  std::map<std::string, std::string> stages; ///< by name; once made they stay
};

namespace tegula::c {

/// A handle of `kernel`, with its parameters listed.
std::unique_ptr<tegula_kernel> kernelHandle(std::shared_ptr<jit::JitKernel> kernel);

/// The properties of a variant; texts belong to it.
tegula_variant_properties propertiesOf(const tegula_variant &variant);

/// The text of a stage, or the machine code, as `tegula_variant_stage` says; made when it is first asked for,
/// and kept. Errors: InvalidArgument, Unavailable, Compile, and an assembler's.
runtime::Result<const std::string *> stageOf(tegula_variant &variant, const std::string &name);

} // namespace tegula::c
