// Tests errors of verify-stage that IR text cannot contain, since the parser rejects them first.
#include "compiler/analysis/VerifyStage.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

/// A kernel of one warp with `lines` in its body.
OwningOpRef<ModuleOp> kernelOf(MLIRContext &context, const std::string &lines) {
  context.loadDialect<tile::TileDialect, func::FuncDialect>();
  return parseSourceString<ModuleOp>(
      "module attributes {tile.target = \"sm_90a\"} { func.func @k() attributes "
      "{tile.kernel = #tile.kernel<warps = 1, stages = 1>} {\n" +
          lines + "return } }",
      ParserConfig(&context));
}

/// The messages of `verifyStage`.
std::vector<std::string> errorsOf(ModuleOp module, VerifiedStage stage) {
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    messages.push_back(diagnostic.str());
    return success();
  });
  bool failed = verifyStage(module, stage).failed();
  EXPECT_EQ(failed, !messages.empty());
  return messages;
}

TEST(VerifyStage, LayoutsThatPassesMadeAreVerifiedAsEncodings) {
  MLIRContext context;
  auto module = kernelOf(context, "%0 = tile.arange 0 to 64 : tensor<64xi32>\n");
  ASSERT_TRUE(module);
  // 32 elements of 64 are reached.
  LinearLayout half = LinearLayout::identity1D(32, Dim::Lane, Dim::Dim0).resizeOut(Dim::Dim0, 64);
  auto type =
      RankedTensorType::get({64}, IntegerType::get(&context, 32), tile::LayoutAttr::get(&context, half));
  module->walk([&](tile::ArangeOp op) { op.getResult().setType(type); });
  std::vector<std::string> errors = errorsOf(*module, VerifiedStage::Distributed);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "'tile.arange' op expected a layout that reaches every element, found 2^5 of 2^6 reached");
}

TEST(VerifyStage, AFewErrorsAreEnough) {
  MLIRContext context;
  std::string lines;
  for (int i = 0; i < 100; ++i)
    lines += "%" + std::to_string(i) + " = tile.arange 0 to 64 : tensor<64xi32>\n";
  auto module = kernelOf(context, lines);
  ASSERT_TRUE(module);
  EXPECT_EQ(errorsOf(*module, VerifiedStage::Tile).size(), 0u);
  EXPECT_EQ(errorsOf(*module, VerifiedStage::Distributed).size(), 8u);
}

} // namespace
