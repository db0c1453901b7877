#include "compiler/emit/Emit.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

KernelImage image() {
  KernelImage image;
  image.entry = "k";
  image.numWarps = 4;
  addParam(image, {"x", "*fp32", ParamKind::Pointer, 8});
  addParam(image, {"h", "fp16", ParamKind::Float, 2});
  image.ptx = ".visible .entry k(\n\t.param .u64 .ptr .global .align 16 k_param_0,\n\t.param .align 2 .b8 "
              "k_param_1[2]\n)\n.reqntid 128, 1, 1\n{\n\tret;\n}\n";
  return image;
}

/// What differs, or empty.
std::string problemOf(const KernelImage &image) {
  mlir::MLIRContext context;
  std::string text;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    text += diagnostic.str();
    return mlir::success();
  });
  bool failed =
      mlir::failed(checkManifest(image, [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); }));
  EXPECT_EQ(failed, !text.empty());
  return text;
}

std::string after(const std::string &from, const std::string &to) {
  KernelImage changed = image();
  changed.ptx.replace(changed.ptx.find(from), from.size(), to);
  return problemOf(changed);
}

} // namespace

TEST(Manifest, AgreesWithTheText) { EXPECT_EQ(problemOf(image()), ""); }

TEST(Manifest, SaysWhatDiffers) {
  EXPECT_EQ(after(".entry k", ".func k"), "expected one `.entry`");
  EXPECT_EQ(after("ret;", ".entry l()"), "expected one `.entry`");
  EXPECT_EQ(after("entry k(", "entry other("), "expected the entry `k`, found `other`");
  EXPECT_EQ(after(".u64 .ptr .global .align 16 k_param_0", ".u32 k_param_0"),
            "expected 8 bytes for parameter `x`, found `.u32 k_param_0`");
  EXPECT_EQ(after("[2]", "[4]"), "expected 2 bytes for parameter `h`, found `.align 2 .b8 k_param_1[4]`");
  EXPECT_EQ(after(",\n\t.param .align 2 .b8 k_param_1[2]", ""), "expected 2 parameters, found 1");
  EXPECT_EQ(after(".reqntid 128", ".reqntid 64"), "expected `.reqntid 128`");
  EXPECT_EQ(after(".reqntid 128", ".reqntid 1280"), "expected `.reqntid 128`");
}

TEST(Manifest, HiddenParametersStandInTheText) {
  KernelImage packed = image();
  packed.programsPerBlock = 4;
  addHidden(packed, HiddenKind::Programs);
  EXPECT_EQ(problemOf(packed), "expected 3 parameters, found 2");
  std::string last = "\t.param .align 2 .b8 k_param_1[2]";
  packed.ptx.replace(packed.ptx.find(last), last.size(), last + ",\n\t.param .u32 k_param_2");
  EXPECT_EQ(problemOf(packed), "");
  packed.ptx.replace(packed.ptx.find(".u32"), 4, ".u64");
  EXPECT_EQ(problemOf(packed), "expected 4 bytes for parameter `programs in x`, found `.u64 k_param_2`");
}
