#include "compiler/emit/AssemblyText.h"
#include "compiler/emit/FunctionPasses.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <map>

using namespace llvm;

namespace tegula {
namespace {

/// Returns the numbers of the operands between the braces of `list`: 4 and 5 of "$4, $5".
SmallVector<unsigned> operandsOf(StringRef list) {
  SmallVector<unsigned> numbers;
  for (StringRef name : split(list, ", ")) {
    unsigned number = 0;
    if (name.consume_front("$") && !name.getAsInteger(10, number))
      numbers.push_back(number);
  }
  return numbers;
}

/// Returns the operands in which each `wgmma` of `text` has its first matrix: empty where that lies in
/// memory. A statement is `wgmma.mma_async... {sums}, {first}, second, ...;`.
SmallVector<SmallVector<unsigned>> firstMatrices(StringRef text) {
  SmallVector<SmallVector<unsigned>> found;
  for (StringRef statement : split(text, ";"))
    if (statement.contains("wgmma.mma_async"))
      found.push_back(operandsOf(statement.split("}, {").second.split("}").first));
  return found;
}

/// The value of an operand: those of results come first, and then the arguments of the call.
Use &argument(CallInst &call, unsigned operand) {
  auto *results = dyn_cast<StructType>(call.getType());
  return call.getArgOperandUse(operand - (results ? results->getNumElements() : 1));
}

/// Returns `word` in a form of its own for each `number`: with so many times a 0 added that the assembler
/// does not know to be one. No block has 16 MiB of shared memory.
Value *spelledAnew(IRBuilder<> &builder, Value *word, uint32_t number) {
  Value *size = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, {});
  return builder.CreateAdd(word, builder.CreateMul(builder.CreateLShr(size, 24), builder.getInt32(number)));
}

void separate(CallInst &call) {
  std::map<SmallVector<Value *, 4>, uint32_t> seen;
  for (ArrayRef<unsigned> operands : firstMatrices(assemblyText(call))) {
    SmallVector<Value *, 4> words;
    for (unsigned operand : operands)
      words.push_back(argument(call, operand));
    if (words.empty())
      continue;
    if (const uint32_t number = seen[words]++) {
      IRBuilder<> builder(&call);
      argument(call, operands.front()).set(spelledAnew(builder, words.front(), number));
    }
  }
}

} // namespace

PreservedAnalyses SeparateProductsPass::run(Function &function, FunctionAnalysisManager &) {
  for (Instruction &instruction : instructions(function))
    if (isGroupProduct(instruction))
      separate(cast<CallInst>(instruction));
  return keepingFlow();
}

} // namespace tegula
