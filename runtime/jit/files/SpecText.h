// A KernelSpec as text: equal texts mean equal specs. The key of every table of compiled kernels.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <map>
#include <string>

namespace tegula::jit {

std::string specText(const KernelSpec &spec);

/// A parameter in the spelling of signatures: "*fp32:16", "i32=1", "none"; empty for a value that has none
/// there.
std::string signatureText(const ArgSpec &spec);

/// An argument for a person: "*fp32:16" of one that is passed, "1024" of one that is known.
std::string argText(const ArgSpec &arg);
/// Parts of a specialisation by name, for messages: arguments, `num_warps` and other options. No text has an
/// end of line.
using SpecParts = std::map<std::string, std::string>;
SpecParts specParts(const KernelSpec &spec);
/// "x_ptr=*fp32:16 n=i32:16+ BLOCK_SIZE=1024 num_warps=4 num_stages=3 on sm_90a": a specialisation, for
/// messages.
std::string describeSpec(const KernelSpec &spec);

} // namespace tegula::jit
