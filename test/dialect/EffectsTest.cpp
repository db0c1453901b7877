// Asks each op of both dialects what it does besides computing.
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

struct Effects : testing::Test {
  Effects() {
    context.loadDialect<TileDialect, tgpu::TgpuDialect, arith::ArithDialect, func::FuncDialect,
                        scf::SCFDialect>();
    module = parseSourceFile<ModuleOp>(TEGULA_DIALECT_INPUTS "/every-op.mlir", &context);
    EXPECT_TRUE(module);
  }

  /// Calls `ask` for each op of the two dialects in the file.
  void forEachOp(llvm::function_ref<void(Operation *)> ask) {
    if (module)
      module->walk([&](Operation *op) {
        if (isa<TileDialect, tgpu::TgpuDialect>(op->getDialect()))
          ask(op);
      });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::string operandOf(Operation *op, Value value) {
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (operand == value)
      return llvm::formatv("operand {0}", number);
  return "an array";
}

std::string wordsOf(Operation *op, const GlobalAccess &access) {
  std::string words;
  if (access.isAtomic())
    words = llvm::formatv("atomic {0} {1} ", stringifyMemoryOrder(*access.order),
                          stringifyMemoryScope(*access.scope));
  words += access.isConditional ? "conditional " : access.isVolatile ? "volatile " : "";
  words += access.onlyReads() ? "reads " : access.reads ? "reads and writes " : "writes ";
  words += operandOf(op, access.address);
  return access.mask ? words + " where " + operandOf(op, access.mask) : words;
}

std::string wordsOf(const AsyncStep &step) {
  constexpr const char *Roles[] = {"", "starts", "groups", "awaits", "frees"};
  constexpr const char *Kinds[] = {"copies", "TMA loads", "TMA stores", "products"};
  std::string words = llvm::formatv("{0} {1}", Roles[step.role], Kinds[size_t(step.kind)]);
  if (step.role == AsyncStep::Awaits)
    words += llvm::formatv(" but {0}", step.pending).str();
  return words + (step.isByUnit ? " by a unit" : "") + (step.ordersItself ? " in order" : "");
}

/// Returns what the interfaces of `op` and its effects on shared memory say.
SmallVector<std::string> answersOf(Operation *op) {
  SmallVector<std::string> answers;
  if (GlobalAccess access = globalAccessOf(op))
    answers.push_back(wordsOf(op, access));
  constexpr std::pair<Interaction, const char *> Words[] = {
      {Interaction::SyncsThreads, "syncs threads"},
      {Interaction::PublishesWrites, "publishes writes"},
      {Interaction::TouchesMemory, "touches memory"},
      {Interaction::AsksDevice, "asks the device"},
      {Interaction::AwaitsPrograms, "awaits programs"},
      {Interaction::AwaitsLaunches, "awaits launches"},
      {Interaction::Prints, "prints"},
      {Interaction::Asserts, "asserts"},
      {Interaction::MetBefore, "of an op before"}};
  for (auto [what, word] : Words)
    if (does(op, what))
      answers.push_back(word);
  if (AsyncStep step = asyncStepOf(op); step.role != AsyncStep::None)
    answers.push_back(wordsOf(step));
  const tgpu::SharedUse shared = tgpu::sharedUseOf(op);
  answers.append(shared.reads.size(), "reads a buffer");
  answers.append(shared.writes.size(), "writes a buffer");
  if (shared.allocates)
    answers.push_back("allocates shared memory");
  return answers;
}

std::string answerOf(Operation *op) {
  SmallVector<std::string> answers = answersOf(op);
  if (!answers.empty())
    return llvm::join(answers, ", ");
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return "as its region";
  return isMemoryEffectFree(op) ? "computes" : "keeps its place";
}

TEST_F(Effects, EachOpAnswersAsTheFileSays) {
  forEachOp([](Operation *op) {
    auto expected = op->getAttrOfType<StringAttr>("answer");
    ASSERT_TRUE(expected) << op->getName().getStringRef().str();
    EXPECT_EQ(answerOf(op), expected.getValue().str()) << op->getName().getStringRef().str();
  });
}

TEST_F(Effects, NoOpIsMissing) {
  llvm::StringSet<> asked;
  forEachOp([&](Operation *op) { asked.insert(op->getName().getStringRef()); });
  // Not by dialect: `getRegisteredOperationsByDialect` of LLVM 22 finds those of some dialects only.
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (isa<TileDialect, tgpu::TgpuDialect>(name.getDialect()))
      EXPECT_TRUE(asked.contains(name.getStringRef()))
          << name.getStringRef().str()
          << ": add it to Inputs/every-op.mlir, with what it does besides computing";
}

/// Checks that an op with an MLIR effect on global memory also has the interface that our passes ask: without
/// it they would miss the access and move the op.
TEST_F(Effects, WhatAccessesGlobalMemorySaysHow) {
  forEachOp([](Operation *op) {
    auto effecting = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effecting)
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    effecting.getEffectsOnResource(SideEffects::DefaultResource::get(), effects);
    const bool accesses = llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect());
    });
    EXPECT_TRUE(!accesses || !answersOf(op).empty()) << op->getName().getStringRef().str();
    // And what passes find, MLIR is told.
    EXPECT_TRUE(!globalAccessOf(op) || accesses) << op->getName().getStringRef().str();
  });
}

} // namespace
