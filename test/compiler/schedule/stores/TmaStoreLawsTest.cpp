// Checks that TMA stores write the same results as the stores they replace: for whole tiles and tiles that
// reach past the end of an array, elements of each size, warp groups below and next to each other, in a loop
// and outside. The reference interpreter runs both.
#include "compiler/distribute/Passes.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/persist/PersistPrograms.h"
#include "compiler/schedule/plan/PlannedMemory.h"
#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"
#include "test/compiler/interp/InterpreterFixture.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;
using tegula::interp::Array;

namespace {

using Sides = std::vector<int32_t>;

/// A store of a tile that a product left in registers, twice its number in a second round.
struct Form {
  Sides tile{128, 64};
  GroupGrid groups{2, 1};
  unsigned bytes = 2;
  bool isTransposed = false; ///< columns of the array are contiguous
  bool isRepeated = false;
};

std::string attribute(const LinearLayout &layout) { return "#tile.layout<" + layout.toString() + ">"; }

std::string typeOf(const Sides &sides, const std::string &element, const LinearLayout &layout) {
  std::string text = "tensor<";
  for (int32_t side : sides)
    text += std::to_string(side) + "x";
  return text + element + ", " + attribute(layout) + ">";
}

/// `%NAME0` and `%NAME1`: the row and the column of each element of the tile, and where program and place put
/// it: the position in the array.
std::string coordinates(const std::string &name, const Form &form, const LinearLayout &layout) {
  std::string text;
  for (unsigned axis : {0u, 1u}) {
    const LinearLayout thin = slice(layout, 1 - axis), wide = expandDims(thin, 1 - axis);
    const std::string flat = typeOf({form.tile[axis]}, "i32", thin),
                      side = typeOf(axis == 0 ? Sides{form.tile[0], 1} : Sides{1, form.tile[1]}, "i32", wide);
    text += llvm::formatv("%{0}{1}a = tile.arange 0 to {2} : {3}\n"
                          "%{0}{1}p = tile.splat %first{1} : i32 -> {3}\n"
                          "%{0}{1}s = arith.addi %{0}{1}a, %{0}{1}p : {3}\n"
                          "%{0}{1}e = tile.expand_dims %{0}{1}s, {4} : {3} -> {5}\n"
                          "%{0}{1} = tile.broadcast %{0}{1}e : {5} -> {6}\n",
                          name, axis, form.tile[axis], flat, 1 - axis, side, typeOf(form.tile, "i32", layout))
                .str();
  }
  return text;
}

std::string textOf(const Form &form) {
  const int32_t warps = form.groups.m * form.groups.n * WarpsOfGroup;
  const LinearLayout sums = groupResult(form.tile, std::min(form.tile[1] / form.groups.n, 256), form.groups),
                     rows = form.isTransposed ? blocked(form.tile, Sides{4, 1}, Sides{8, 4}, Sides{1, warps},
                                                        std::vector<unsigned>{0, 1})
                                              : blocked(form.tile, Sides{1, 4}, Sides{4, 8}, Sides{warps, 1},
                                                        std::vector<unsigned>{1, 0});
  const std::string element = "i" + std::to_string(8 * form.bytes), inSums = typeOf(form.tile, "i32", sums),
                    value = typeOf(form.tile, element, sums), stored = typeOf(form.tile, element, rows),
                    pointers = typeOf(form.tile, "!tile.ptr<" + element + ">", rows),
                    places = typeOf(form.tile, "i32", rows);
  std::string text =
      llvm::formatv(
          "module attributes {{tile.target = \"sm_90a\"} {{\n"
          "func.func @f(%out: !tile.ptr<{0}> {{tile.param = #tile.param<\"out\", \"*{0}\", 16>}, "
          "%M: i32 {{tile.param = #tile.param<\"M\", \"i32\", 16>}, "
          "%N: i32 {{tile.param = #tile.param<\"N\", \"i32\", 16>}, "
          "%stride: i32 {{tile.param = #tile.param<\"stride\", \"i32\", 16>}) attributes {{tile.kernel = "
          "#tile.kernel<warps = {1}, stages = 1>} {{\n",
          element, warps)
          .str();
  for (unsigned axis : {0u, 1u})
    text += llvm::formatv("%id{0} = tile.program_id {1}\n%side{0} = arith.constant {2} : i32\n"
                          "%first{0} = arith.muli %id{0}, %side{0} : i32\n",
                          axis, axis == 0 ? "x" : "y", form.tile[axis])
                .str();
  text += "%zero = arith.constant dense<0> : " + inSums + "\n%begun = tgpu.mma_begin %zero : " + inSums +
          "\n%none = tgpu.mma_wait pending 0 %begun : !tgpu.in_flight<" + inSums + "> -> " + inSums + "\n";
  text += coordinates("in", form, sums);
  text += llvm::formatv("%wide = arith.constant dense<301> : {0}\n%far = arith.muli %in0, %wide : {0}\n"
                        "%number = arith.addi %far, %in1 : {0}\n%all = arith.addi %number, %none : {0}\n",
                        inSums)
              .str();
  text += coordinates("to", form, rows);
  text += llvm::formatv(
              "%strides = tile.splat %stride : i32 -> {0}\n%ones = arith.constant dense<1> : {0}\n"
              "%down = arith.muli %to{1}, %strides : {0}\n%at = arith.addi %down, %to{2} : {0}\n"
              "%base = tile.splat %out : !tile.ptr<{3}> -> {4}\n%p = tile.addptr %base, %at : {4}, {0}\n"
              "%Ms = tile.splat %M : i32 -> {0}\n%Ns = tile.splat %N : i32 -> {0}\n"
              "%m = arith.cmpi slt, %to0, %Ms : {0}\n%n = arith.cmpi slt, %to1, %Ns : {0}\n"
              "%inside = arith.andi %m, %n : {5}\n",
              places, form.isTransposed ? 1 : 0, form.isTransposed ? 0 : 1, element, pointers,
              typeOf(form.tile, "i1", rows))
              .str();
  if (form.isRepeated)
    text += llvm::formatv(
                "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n%c3 = arith.constant 3 : i32\n"
                "scf.for %i = %c0 to %c3 step %c1 : i32 {{\n%is = tile.splat %i : i32 -> {0}\n"
                "%now = arith.addi %all, %is : {0}\n",
                inSums)
                .str();
  const std::string now = form.isRepeated ? "%now" : "%all";
  text +=
      form.bytes == 4
          ? llvm::formatv("%c = tile.convert_layout {0} : {1} -> {2}\n", now, inSums, stored).str()
          : llvm::formatv("%v = arith.trunci {0} : {1} to {2}\n%c = tile.convert_layout %v : {2} -> {3}\n",
                          now, inSums, value, stored)
                .str();
  return text + "tile.store %p, %c, %inside : " + pointers + (form.isRepeated ? "\n}" : "") +
         "\nreturn\n}\n}\n";
}

OwningOpRef<ModuleOp> parsed(const std::string &ir, MLIRContext &context) {
  context.loadDialect<tile::TileDialect, tgpu::TgpuDialect, arith::ArithDialect, scf::SCFDialect,
                      func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, &context);
  EXPECT_TRUE(module) << ir;
  return module;
}

/// Holds the result of the pass, with counts of its TMA stores, slots and remaining stores.
struct Stored {
  std::string text;
  unsigned stores = 0, slots = 0, parts = 0, left = 0;
};

Stored storedByTma(const std::string &ir) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parsed(ir, context);
  Stored result;
  if (!module)
    return result;
  PassManager pm(&context);
  pm.addPass(createFormBoxesPass());
  pm.addPass(createStoreByTmaPass());
  pm.addPass(createCSEPass());
  EXPECT_TRUE(succeeded(pm.run(*module))) << ir;
  module->walk([&](Operation *op) {
    result.left += isa<tile::StoreOp>(op);
    if (auto store = dyn_cast<tgpu::TmaStoreOp>(op)) {
      ++result.stores;
      result.slots = store.getBuffer().getType().getSlots();
      result.parts = store.getParts();
    }
  });
  llvm::raw_string_ostream(result.text) << *module;
  return result;
}

/// The array, with nines before, behind four programs.
std::vector<uint64_t> outputOf(const std::string &ir, const Form &form, uint64_t rows, uint64_t columns) {
  const uint64_t stride = 2 * 256 + 32;
  std::vector<Array> arrays{{form.bytes, std::vector<uint64_t>(stride * 2 * 256, 9)}};
  const auto outcome = interp::run(ir, arrays, {rows, columns, stride}, {2, 2, 1});
  EXPECT_EQ(outcome.text, "") << ir;
  return arrays[0].elements;
}

void expectSame(const Form &form, const Stored &stored) {
  EXPECT_EQ(stored.left, 0u) << stored.text;
  const std::string before = textOf(form);
  const uint64_t whole[] = {2 * uint64_t(form.tile[0]), 2 * uint64_t(form.tile[1])};
  const std::pair<uint64_t, uint64_t> sizes[] = {
      {whole[0], whole[1]}, {whole[0] - 16, whole[1] - 16}, {16, whole[1] / 2 + 16}, {whole[0] / 2, 16}};
  for (auto [rows, columns] : sizes)
    EXPECT_EQ(outputOf(stored.text, form, rows, columns), outputOf(before, form, rows, columns))
        << rows << " rows, " << columns << " columns\n"
        << stored.text;
}

struct Case {
  const char *name;
  Form form;
  unsigned stores, slots, parts;
};

const Case Cases[] = {
    {"plain", {}, 1, 1, 2},
    {"a group alone", {.tile = {64, 64}, .groups = {1, 1}}, 1, 1, 1},
    {"in a loop", {.tile = {128, 256}, .isRepeated = true}, 4, 2, 2},
    {"bytes", {.tile = {128, 256}, .bytes = 1}, 2, 2, 2},
    {"words", {.tile = {128, 64}, .bytes = 4}, 2, 2, 2},
    {"words in a loop", {.tile = {128, 128}, .bytes = 4, .isRepeated = true}, 4, 2, 2},
    {"groups side by side", {.tile = {64, 128}, .groups = {1, 2}}, 1, 1, 2},
    {"many rows", {.tile = {256, 64}}, 1, 1, 2},
    {"narrow", {.tile = {128, 32}}, 1, 1, 2},
    {"contiguous columns", {.tile = {128, 64}, .isTransposed = true}, 1, 1, 2},
};

} // namespace

TEST(TmaStoreLaws, EveryForm) {
  for (const Case &each : Cases) {
    SCOPED_TRACE(each.name);
    const Stored stored = storedByTma(textOf(each.form));
    EXPECT_EQ(stored.stores, each.stores) << stored.text;
    EXPECT_EQ(stored.slots, each.slots);
    EXPECT_EQ(stored.parts, each.parts);
    expectSame(each.form, stored);
  }
}

/// A plan for a kernel that is to be persistent is the one that is made when it is.
TEST(TmaStoreLaws, PersistenceIsForeseen) {
  for (const Case &each : Cases) {
    SCOPED_TRACE(each.name);
    MLIRContext context(MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> module = parsed(textOf(each.form), context);
    ASSERT_TRUE(module);
    auto kernel = *module->getOps<func::FuncOp>().begin();
    PassManager boxes(&context);
    boxes.addPass(createFormBoxesPass());
    ASSERT_TRUE(succeeded(boxes.run(*module)));
    kernel->setAttr(tgpu::GridAttr::AttrName, tgpu::GridAttr::get(&context, 1));
    PlannedMemory before(kernel);
    const std::vector<PlannedStore> stores = before.planStores();
    const uint64_t bytes = before.need().bytes;
    kernel->removeAttr(tgpu::GridAttr::AttrName);
    persistPrograms(kernel, /*blocksPerMultiprocessor=*/1);
    PlannedMemory after(kernel);
    const std::vector<PlannedStore> storesThen = after.planStores();
    ASSERT_EQ(stores.size(), 1u);
    ASSERT_EQ(storesThen.size(), 1u);
    const Decision<TmaStorePlan> &foreseen = stores[0].plan, &made = storesThen[0].plan;
    ASSERT_TRUE(foreseen) << foreseen.error().text;
    ASSERT_TRUE(made) << made.error().text;
    EXPECT_EQ(foreseen->buffer, made->buffer);
    EXPECT_EQ(foreseen->part, made->part);
    EXPECT_EQ(foreseen->warpParts, made->warpParts);
    EXPECT_TRUE(foreseen->isRepeated && made->isRepeated);
    EXPECT_EQ(foreseen->target.order, made->target.order);
    EXPECT_EQ(bytes, after.need().bytes);
  }
}
