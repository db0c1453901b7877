// Programs as text, and the values in them by name.
#pragma once

#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>

namespace tegula::testing {

/// The body of a kernel `f(%x: !tile.ptr<f32>, %h: !tile.ptr<bf16>, %n: i32, %m: i32, %size: i32, %wide: i64)` whose
/// arguments are divisible by 16 but for %m, and the last two not negative; analysed as a whole.
class AnalysedKernel {
public:
  explicit AnalysedKernel(std::string body, Trust trust = Trust::Signs) : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::scf::SCFDialect>();
    std::string text = R"(func.func @f(%x: !tile.ptr<f32> {tile.param = #tile.param<"x", "*fp32", 16>},
        %h: !tile.ptr<bf16> {tile.param = #tile.param<"h", "*bf16", 16>},
        %n: i32 {tile.param = #tile.param<"n", "i32", 16>}, %m: i32 {tile.param = #tile.param<"m", "i32", 1>},
        %size: i32 {tile.param = #tile.param<"size", "i32", 16, nonneg>},
        %wide: i64 {tile.param = #tile.param<"wide", "i64", 16, nonneg>})
        attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>} {)" +
                       body + "\nreturn }";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (module)
      facts.emplace(*module, trust);
  }

  /// The facts of the operand of the `index`-th `tile.print`, as text.
  std::string printed(unsigned index = 0) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->walk([&](tile::PrintOp print) {
      if (index-- == 0)
        facts->of(print.getOperands()[0]).print(os);
    });
    return text;
  }

  /// Returns true if the operand of the `index`-th `tile.print` is known not to be negative.
  bool isNotNegative(unsigned index = 0) {
    bool result = false;
    module->walk([&](tile::PrintOp print) {
      if (index-- == 0)
        result = facts->isNotNegative(print.getOperands()[0]);
    });
    return result;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<AxisInfoAnalysis> facts;
};

} // namespace tegula::testing
