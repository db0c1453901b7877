// Random programs keep their meaning and become legal, whatever the layouts that they get.
#include "compiler/distribute/Passes.h"
#include "dialect/tile/Tile.h"
#include "test/compiler/analysis/RandomProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/Hashing.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;
using namespace tegula::testing;

namespace {

/// `data` less the sums along `axis`, each of them subtracted from all that it is the sum of.
Value centred(OpBuilder &b, Value data, unsigned axis) {
  Location loc = b.getUnknownLoc();
  auto type = cast<RankedTensorType>(data.getType());
  auto reduce = tile::ReduceOp::create(b, loc, data, axis);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block =
        b.createBlock(&reduce.getCombine(), {}, {type.getElementType(), type.getElementType()}, {loc, loc});
    Value sum = arith::AddFOp::create(b, loc, block->getArgument(0), block->getArgument(1));
    tile::YieldOp::create(b, loc, sum);
  }
  Value sums = reduce.getResult(0);
  if (type.getRank() == 1)
    return arith::SubFOp::create(b, loc, data, tile::SplatOp::create(b, loc, type, sums));
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 1;
  sums = tile::ExpandDimsOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), sums, axis);
  return arith::SubFOp::create(b, loc, data, tile::BroadcastOp::create(b, loc, type, sums));
}

/// `data` times itself, transposed.
Value squared(OpBuilder &b, Value data, std::mt19937_64 &random) {
  Location loc = b.getUnknownLoc();
  auto type = cast<RankedTensorType>(data.getType());
  Type element = type.getElementType();
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  Value other = tile::TransOp::create(b, loc, RankedTensorType::get({columns, rows}, element), data,
                                      b.getDenseI32ArrayAttr({1, 0}));
  auto sums = RankedTensorType::get({rows, rows}, element);
  Value zero = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(sums, b.getF32FloatAttr(0)));
  return tile::DotOp::create(b, loc, data, other, zero,
                             random() % 2 ? tile::InputPrecision::TF32 : tile::InputPrecision::IEEE);
}

/// Ends the program with accesses through its pointers and arithmetic on what was loaded.
void addAccesses(RandomProgram &program, std::mt19937_64 &random) {
  auto function = *program.module->getOps<func::FuncOp>().begin();
  program.module->getOperation()->setAttr("tile.target", StringAttr::get(function.getContext(), "sm_90a"));
  function->setAttr("tile.kernel", tile::KernelAttr::get(function.getContext(), 1u << random() % 4, 1));
  OpBuilder b(function.getBody().front().getTerminator());
  Location loc = b.getUnknownLoc();
  SmallVector<Value> loaded;
  auto maskFor = [&](Type like) -> Value {
    for (const Known &known : program.values)
      if (known.width == 1 && known.value.getType() == tile::withElementType(like, b.getI1Type()) &&
          random() % 2)
        return known.value;
    return {};
  };
  for (const Known &known : program.values) {
    if (known.isPointer || known.width != 32 || !known.isTensor() || random() % 4)
      continue;
    Type type = tile::withElementType(known.value.getType(), function.getArgument(2).getType());
    Value base = tile::SplatOp::create(b, loc, type, function.getArgument(2));
    Value index = known.value;
    if (random() % 4 == 0)
      index = arith::MulUIExtendedOp::create(b, loc, index, index)->getResult(unsigned(random() % 2));
    Value pointer = tile::AddPtrOp::create(b, loc, type, base, index);
    Value data = tile::LoadOp::create(b, loc, pointer, maskFor(type));
    for (Value other : loaded)
      if (other.getType() == data.getType() && random() % 2)
        data = arith::AddFOp::create(b, loc, data, other);
    loaded.push_back(data);
    auto dataType = cast<RankedTensorType>(data.getType());
    if (dataType.getRank() == 2 && dataType.getDimSize(0) == dataType.getDimSize(1) && random() % 2)
      data = tile::TransOp::create(b, loc, dataType, data, b.getDenseI32ArrayAttr({1, 0}));
    if (dataType.getRank() == 2 && random() % 2) {
      Value product = squared(b, data, random);
      if (random() % 2)
        product = centred(b, product, unsigned(random() % 2));
      tile::PrintOp::create(b, loc, b.getStringAttr("p"), b.getDenseBoolArrayAttr({true}), UnitAttr(),
                            product);
      if (product.getType() == data.getType())
        data = product;
    }
    if (random() % 3 == 0)
      data = centred(b, data, unsigned(random() % uint64_t(dataType.getRank())));
    if (random() % 2)
      tile::StoreOp::create(b, loc, pointer, data, maskFor(type), tile::CacheModifier::None,
                            tile::EvictionPolicy::Normal);
    else
      tile::PrintOp::create(b, loc, b.getStringAttr("v"), b.getDenseBoolArrayAttr({true}), UnitAttr(), data);
  }
}

llvm::hash_code hashOfAttribute(NamedAttribute attribute) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute.getValue()))
    return llvm::hash_combine(attribute.getName(), dense.isSplat(),
                              llvm::hash_combine_range(dense.getRawData()));
  return llvm::hash_combine(attribute.getName(), attribute.getValue());
}

/// Returns the effects of the program, op by op in order, as hashes that do not depend on layouts.
std::vector<size_t> effectsOf(ModuleOp module) {
  llvm::DenseMap<Value, size_t> meaning;
  std::vector<size_t> effects;
  auto function = *module.getOps<func::FuncOp>().begin();
  for (BlockArgument argument : function.getArguments())
    meaning[argument] = argument.getArgNumber();
  for (Operation &op : function.getBody().front()) {
    if (auto conversion = dyn_cast<tile::ConvertLayoutOp>(op)) {
      meaning[conversion] = meaning.at(conversion.getSource());
      continue;
    }
    llvm::hash_code code = llvm::hash_combine(op.getName());
    for (NamedAttribute attribute : op.getAttrs())
      if (attribute.getName() != "unit") // who multiplies, not what
        code = llvm::hash_combine(code, hashOfAttribute(attribute));
    for (Value operand : op.getOperands())
      code = llvm::hash_combine(code, meaning.at(operand));
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      code = tensor ? llvm::hash_combine(code, tensor.getElementType(),
                                         llvm::hash_combine_range(tensor.getShape()))
                    : llvm::hash_combine(code, type);
    }
    if (isa<tile::LoadOp>(op)) // the same address may hold something else after a store
      code = llvm::hash_combine(code, effects.size());
    if (isa<tile::StoreOp, tile::PrintOp>(op))
      effects.push_back(code);
    for (OpResult result : op.getResults())
      meaning[result] = llvm::hash_combine(code, result.getResultNumber());
  }
  return effects;
}

unsigned count(ModuleOp module, StringRef name) {
  unsigned found = 0;
  module.walk([&](Operation *op) { found += op->getName().getStringRef() == name; });
  return found;
}

bool everyTensorHasALayout(ModuleOp module) {
  bool all = true;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      all &= !isa<RankedTensorType>(type) || tile::layoutOf(type);
  });
  return all;
}

} // namespace

TEST(DistributeLaws, EachPassKeepsWhatRandomProgramsDo) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect>();
  std::mt19937_64 random(60);
  unsigned conversionsBefore = 0, conversionsAfter = 0, stores = 0, dots = 0;
  for (unsigned round = 0; round < 300; ++round) {
    RandomProgram program = randomProgram(context, random, 30);
    addAccesses(program, random);
    ModuleOp module = *program.module;
    ASSERT_TRUE(succeeded(verify(module)));
    std::vector<size_t> expected = effectsOf(module);
    unsigned loads = count(module, "tile.load");
    stores += unsigned(expected.size());
    dots += count(module, "tile.dot");

    std::unique_ptr<Pass> passes[] = {createAssignLayoutsPass(), createChooseMatrixUnitsPass(),
                                      createCoalescePass(), createRemoveConversionsPass()};
    for (std::unique_ptr<Pass> &pass : passes) {
      std::string name = pass->getArgument().str();
      if (name == "remove-conversions")
        conversionsBefore += count(module, "tile.convert_layout");
      PassManager pm(&context); // verifies after the pass
      pm.addPass(std::move(pass));
      ASSERT_TRUE(succeeded(pm.run(module))) << name;
      EXPECT_EQ(effectsOf(module), expected) << name;
      EXPECT_TRUE(everyTensorHasALayout(module)) << name;
      EXPECT_LE(count(module, "tile.load"), loads) << name;
    }
    conversionsAfter += count(module, "tile.convert_layout");
  }
  EXPECT_GT(stores, 900u);
  EXPECT_GT(dots, 100u);
  // Besides, both operands of a dot may need one.
  EXPECT_LT(conversionsAfter, conversionsBefore / 4 + 2 * dots);
}

TEST(DistributeLaws, RemovingConversionsTwiceChangesNothing) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect>();
  std::mt19937_64 random(61);
  for (unsigned round = 0; round < 100; ++round) {
    RandomProgram program = randomProgram(context, random, 30);
    addAccesses(program, random);
    PassManager pm(&context);
    pm.addPass(createAssignLayoutsPass());
    pm.addPass(createChooseMatrixUnitsPass());
    pm.addPass(createCoalescePass());
    pm.addPass(createRemoveConversionsPass());
    ASSERT_TRUE(succeeded(pm.run(*program.module)));
    unsigned conversions = count(*program.module, "tile.convert_layout");
    PassManager again(&context);
    again.addPass(createRemoveConversionsPass());
    ASSERT_TRUE(succeeded(again.run(*program.module)));
    EXPECT_LE(count(*program.module, "tile.convert_layout"), conversions);
  }
}
