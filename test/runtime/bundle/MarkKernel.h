// Kernels that tell which of them has run.
#pragma once

#include "dialect/image/KernelImageText.h"
#include "runtime/bundle/BundledKernel.h"

#include <string>
#include <vector>

namespace tegula::bundle {

/// A kernel that writes `value` to the first element of its parameter `out`. `types` are those of `out` and
/// `n`; where the latter is known its PTX has no such parameter. Where `sharedBy` is not 0 it has a loop of `n` iterations
/// that so many blocks share, or 1, could.
inline BundledKernel markKernel(const std::string &name, const std::string &target,
                                const std::vector<std::string> &types, int value, uint32_t sharedBy = 0) {
  BundledKernel kernel;
  kernel.name = name;
  kernel.parameters = {{"out", types[0]}, {"n", types[1]}};
  KernelImage &image = kernel.image;
  image.entry = image.kernel = name;
  image.target = target;
  image.numWarps = 1;
  image.sourceFile = "mark.py";
  addParam(image, {.name = "out", .type = "*i32", .kind = ParamKind::Pointer, .size = 8});
  const bool isPassed = types[1].find('=') == std::string::npos && types[1] != "none";
  const bool isWide = types[1].starts_with("i64");
  if (isPassed)
    addParam(
        image,
        {.name = "n", .type = isWide ? "i64" : "i32", .kind = ParamKind::Integer, .size = isWide ? 8u : 4u});
  if (sharedBy)
    image.splits = SplitLoop{{1, 1}, 1, sharedBy};
  if (sharedBy > 1)
    addImplicitFirst(image);
  image.ptx = launchText(image) + "\n.version 8.0\n.target " + target +
              "\n.address_size 64\n.visible .entry " + name + "(.param .u64 out" +
              (isPassed ? std::string(", .param .") + (isWide ? "u64" : "u32") + " n" : "") +
              (sharedBy > 1 ? ", .param .u32 first" : "") +
              ")\n.reqntid 32, 1, 1\n{\n  .reg .b64 %a;\n  .reg .b32 %v;\n  .reg .b32 %t;\n  .reg .pred %p;\n"
              "  ld.param.b64 %a, [out];\n  mov.u32 %t, %tid.x;\n  setp.ne.u32 %p, %t, 0;\n  mov.b32 %v, " +
              std::to_string(value) + ";\n  @!%p st.global.b32 [%a], %v;\n  ret;\n}\n";
  return kernel;
}

} // namespace tegula::bundle
