#include "compiler/emit/FunctionPasses.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <algorithm>

using namespace llvm;

namespace tegula {
namespace {

constexpr unsigned MostBits = 32; ///< of a word

/// Returns the extractions of single elements that `load` is used by; nothing where something else uses it.
SmallVector<ExtractElementInst *> extractionsOf(LoadInst &load) {
  SmallVector<ExtractElementInst *> found;
  for (User *user : load.users()) {
    auto *extraction = dyn_cast<ExtractElementInst>(user);
    if (!extraction || !isa<ConstantInt>(extraction->getIndexOperand()))
      return {};
    found.push_back(extraction);
  }
  return found;
}

/// Words that hold what a load gives.
struct Words {
  unsigned count = 0, bits = 0; ///< of each
};

/// Returns the words of `load`; none where its elements are no parts of words.
Words wordsOf(const LoadInst &load) {
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  const unsigned element = type ? type->getScalarSizeInBits() : 0;
  if (element != 8 && element != 16)
    return {};
  const unsigned all = type->getNumElements() * element, bits = std::min(all, MostBits);
  return all % bits == 0 && isPowerOf2_32(bits) ? Words{all / bits, bits} : Words{};
}

void loadWords(LoadInst &load, ArrayRef<ExtractElementInst *> extractions, Words words) {
  IRBuilder<> builder(&load);
  Type *word = builder.getIntNTy(words.bits);
  Type *type = words.count == 1 ? word : FixedVectorType::get(word, words.count);
  LoadInst *loaded = builder.CreateAlignedLoad(type, load.getPointerOperand(), load.getAlign());
  loaded->copyMetadata(load);
  const unsigned bits = load.getType()->getScalarSizeInBits(), perWord = words.bits / bits;
  for (ExtractElementInst *extraction : extractions) {
    const uint64_t index = cast<ConstantInt>(extraction->getIndexOperand())->getZExtValue();
    builder.SetInsertPoint(extraction);
    Value *value = words.count == 1 ? loaded : builder.CreateExtractElement(loaded, index / perWord);
    value = builder.CreateTrunc(builder.CreateLShr(value, index % perWord * bits), builder.getIntNTy(bits));
    extraction->replaceAllUsesWith(builder.CreateBitCast(value, extraction->getType()));
    extraction->eraseFromParent();
  }
  load.eraseFromParent();
}

} // namespace

PreservedAnalyses LoadWordsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<LoadInst *> loads; // first: what uses one of them goes with it
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple() && wordsOf(*load).count)
      loads.push_back(load);
  for (LoadInst *load : loads)
    if (const SmallVector<ExtractElementInst *> extractions = extractionsOf(*load); !extractions.empty())
      loadWords(*load, extractions, wordsOf(*load));
  return keepingFlow();
}

} // namespace tegula
