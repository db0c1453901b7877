// Tests which functions certain passes of the backend skip.
#include "compiler/emit/BackendLimits.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

struct Written {
  llvm::LLVMContext context;
  llvm::Module module{"test", context};
  llvm::IRBuilder<> builder{context};

  /// `name(ptr, i32 x, i32 y)` with an open block.
  llvm::Function *begin(const char *name) {
    llvm::Type *word = builder.getInt32Ty();
    auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), word, word}, false);
    auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    return function;
  }

  /// x * y, and that times 3 plus y again and again.
  llvm::Function *chain(const char *name, unsigned steps) {
    llvm::Function *function = begin(name);
    llvm::Value *value = builder.CreateMul(function->getArg(1), function->getArg(2));
    for (unsigned i = 0; i < steps; ++i)
      value = builder.CreateAdd(builder.CreateMul(value, builder.getInt32(3)), function->getArg(2));
    builder.CreateStore(value, function->getArg(0));
    builder.CreateRetVoid();
    return function;
  }

  /// Powers of two as floats, of numbers that have nothing to do with each other, next to a product of
  /// others.
  llvm::Function *powers(const char *name, unsigned count) {
    llvm::Function *function = begin(name);
    builder.CreateStore(builder.CreateMul(function->getArg(1), function->getArg(2)), function->getArg(0));
    llvm::Value *sum = llvm::ConstantFP::get(builder.getFloatTy(), 0);
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value *number = builder.CreateLoad(builder.getInt32Ty(), function->getArg(0));
      llvm::Value *bits = builder.CreateAdd(builder.CreateShl(number, 23), builder.getInt32(0x3f800000));
      sum = builder.CreateFAdd(sum, builder.CreateBitCast(bits, builder.getFloatTy()));
    }
    builder.CreateStore(sum, function->getArg(0));
    builder.CreateRetVoid();
    return function;
  }

  /// Stores to rows of a matrix, as many as one thread has, of a length that is known or an argument.
  llvm::Function *rows(const char *name, unsigned count, unsigned length = 0) {
    llvm::Function *function = begin(name);
    storeRows(function->getArg(0), function->getArg(1),
              length ? static_cast<llvm::Value *>(builder.getInt32(length)) : function->getArg(2), count);
    builder.CreateRetVoid();
    return function;
  }

  /// The same in one matrix after the other, with nothing in common but where they begin.
  llvm::Function *matrices(const char *name, unsigned count, unsigned rows) {
    llvm::Function *function = begin(name);
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value *first = builder.CreateLoad(builder.getInt32Ty(), function->getArg(0)),
                  *stride = builder.CreateLoad(builder.getInt32Ty(), function->getArg(0)),
                  *base = builder.CreateLoad(builder.getPtrTy(), function->getArg(0));
      storeRows(base, first, stride, rows);
    }
    builder.CreateRetVoid();
    return function;
  }

private:
  void storeRows(llvm::Value *base, llvm::Value *first, llvm::Value *stride, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value *row = builder.CreateOr(first, builder.getInt32(i));
      llvm::Value *index = builder.CreateSExt(builder.CreateMul(row, stride), builder.getInt64Ty());
      builder.CreateStore(row, builder.CreateGEP(builder.getInt32Ty(), base, index));
    }
  }
};

} // namespace

TEST(BackendLimits, WorkOfAChainGrowsWithItsSquare) {
  Written written;
  uint64_t before = strengthReductionWork(*written.chain("a", 64)),
           after = strengthReductionWork(*written.chain("b", 256));
  EXPECT_GT(after, 15 * before);
  EXPECT_LT(after, 18 * before);
}

TEST(BackendLimits, KeepsThePassFromLongChainsOnly) {
  Written written;
  EXPECT_TRUE(multipliesUnknowns(*written.chain("chain", 64)));
  written.rows("rows", 8);
  BackendLimits limit(written.module);
  EXPECT_FALSE(limit.shouldRunPass("slsr", "function (chain)"));
  EXPECT_FALSE(limit.shouldRunPass("nary-reassociate", "function (chain)"));
  EXPECT_TRUE(limit.shouldRunPass("slsr", "function (rows)"));
  EXPECT_TRUE(limit.shouldRunPass("nary-reassociate", "function (rows)"));
  EXPECT_TRUE(limit.shouldRunPass("gvn", "function (chain)"));
  EXPECT_TRUE(limit.shouldRunPass("slsr", "function (another)"));
}

TEST(BackendLimits, KeepsThePassFromFunctionsWhoseShareIsSmallButWhichAreLong) {
  Written written;
  const llvm::Function *few = written.matrices("few", 4, 16), *many = written.matrices("many", 512, 16);
  EXPECT_LT(strengthReductionWork(*few), MaxStrengthReductionWork);
  EXPECT_GT(strengthReductionWork(*many), MaxStrengthReductionWork);
  EXPECT_LT(strengthReductionWork(*many), StrengthReductionWorkPerInstruction * many->getInstructionCount());
  BackendLimits limit(written.module);
  EXPECT_TRUE(limit.shouldRunPass("slsr", "function (few)"));
  EXPECT_FALSE(limit.shouldRunPass("slsr", "function (many)"));
}

TEST(BackendLimits, KeepsThePassFromProductsByKnownNumbers) {
  Written written;
  EXPECT_TRUE(multipliesUnknowns(*written.rows("open", 8)));
  EXPECT_FALSE(multipliesUnknowns(*written.rows("known", 8, 100)));
  BackendLimits limit(written.module);
  EXPECT_TRUE(limit.shouldRunPass("slsr", "function (open)"));
  EXPECT_FALSE(limit.shouldRunPass("slsr", "function (known)"));
}

TEST(BackendLimits, KnowsThatEqualConstantsAddedToMultiplesAreCompared) {
  Written written;
  const uint64_t before = strengthReductionWork(*written.powers("few", 8)),
                 after = strengthReductionWork(*written.powers("many", 64));
  EXPECT_TRUE(multipliesUnknowns(*written.module.getFunction("many")));
  EXPECT_GT(after, 63 * before);
  EXPECT_LE(after, 64 * before);
  BackendLimits limit(written.module);
  EXPECT_FALSE(limit.shouldRunPass("slsr", "function (many)"));
}

TEST(BackendLimits, IsThoroughButInTheLongestFunctions) {
  Written written;
  const llvm::Function *longest = written.chain("longest", MaxThoroughInstructions / 2);
  EXPECT_GT(longest->getInstructionCount(), MaxThoroughInstructions);
  written.rows("rows", 8);
  BackendLimits limits(written.module);
  for (const char *pass : {"codegenprepare", "load-store-vectorizer"}) {
    EXPECT_FALSE(limits.shouldRunPass(pass, "function (longest)"));
    EXPECT_TRUE(limits.shouldRunPass(pass, "function (rows)"));
  }
}

TEST(BackendLimits, EndsWithItsScope) {
  Written written;
  llvm::OptPassGate *before = &written.context.getOptPassGate();
  {
    BackendLimits limit(written.module);
    EXPECT_EQ(&written.context.getOptPassGate(), &limit);
  }
  EXPECT_EQ(&written.context.getOptPassGate(), before);
}
