// The attributes of functions, arguments, loops, modules and ops, and where each may be.
#include "dialect/tile/Limits.h"
#include "dialect/tile/LoopSharing.h"
#include "dialect/tile/Tile.h"
#include "dialect/tile/ops/ExternCall.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace {

/// No multiprocessor holds more blocks at once.
constexpr uint32_t MaxResidentBlocks = 32;

/// The type that a parameter spelled `*fp32`, `u8` ... has in the IR; null for no spelling at all.
Type typeOfSpelling(StringRef spelling, MLIRContext *context) {
  StringRef scalar = spelling.ltrim('*');
  Builder b(context);
  Type type = llvm::StringSwitch<Type>(scalar)
                  .Case("i1", b.getI1Type())
                  .Cases({"i8", "u8", "fp8e4b15", "fp8e4b8", "fp8e5b16"}, b.getI8Type())
                  .Cases({"i16", "u16"}, b.getIntegerType(16))
                  .Cases({"i32", "u32"}, b.getI32Type())
                  .Cases({"i64", "u64"}, b.getI64Type())
                  .Case("fp8e4nv", Float8E4M3FNType::get(context))
                  .Case("fp8e5", Float8E5M2Type::get(context))
                  .Case("fp16", b.getF16Type())
                  .Case("bf16", b.getBF16Type())
                  .Case("fp32", b.getF32Type())
                  .Case("fp64", b.getF64Type())
                  .Default(Type());
  for (size_t stars = spelling.size() - scalar.size(); type && stars; --stars)
    type = PtrType::get(type);
  return type;
}

LogicalResult verifyKernel(Operation *op, Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  // (kernel_c3)
  if (!function || function.isExternal())
    return op->emitError("expected `tile.kernel` on a function with a body");
  if (!isa<KernelAttr>(value))
    return op->emitError() << "expected a `#tile.kernel` as `tile.kernel`, found `" << value << "`";
  // (kernel_c4); lowered functions say `void`.
  if (isa<func::FuncOp>(op) && function.getNumResults() != 0)
    return op->emitError() << "expected a kernel without results, found " << function.getNumResults();
  return success();
}

LogicalResult verifyLoop(Operation *op, Attribute value) {
  // (loop_c1)
  if (!isa<scf::ForOp, scf::WhileOp>(op) || !isa<LoopAttr>(value))
    return op->emitError("expected `tile.loop = #tile.loop<...>` on a loop");
  return success();
}

LogicalResult verifyOccupancy(Operation *op, Attribute value) {
  // (occupancy_c1)
  if (!op->hasAttr("tile.kernel") || !isa<OccupancyAttr>(value))
    return op->emitError("expected `tile.occupancy = #tile.occupancy<...>` on a kernel");
  return success();
}

LogicalResult verifyScratch(Operation *op, Attribute value) {
  // (scratch_c1)
  StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "tile" && dialect != "tgpu") || !isa<ScratchAttr>(value))
    return op->emitError("expected `tile.scratch = #tile.scratch<...>` on an op of `tile` or `tgpu`");
  return success();
}

LogicalResult verifyTarget(Operation *op, Attribute value) {
  // (target_c1)
  auto name = dyn_cast<StringAttr>(value);
  if (!isa<ModuleOp>(op) || !name || name.empty())
    return op->emitError("expected `tile.target` on a module to name an architecture");
  return success();
}

LogicalResult verifyWithout(Operation *op, Attribute value) {
  // (without_c1)
  auto names = dyn_cast<ArrayAttr>(value);
  if (!isa<ModuleOp>(op) || !names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return op->emitError("expected `tile.without` on a module to name features");
  return success();
}

} // namespace

LogicalResult KernelAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t warps,
                                 uint32_t stages, uint32_t programs) {
  // (kernel_c1)
  if (std::string wrong = wrongWarps(warps); !wrong.empty())
    return emitError() << wrong;
  // (kernel_c2)
  if (std::string wrong = wrongStages(stages); !wrong.empty())
    return emitError() << wrong;
  // (kernel_c5)
  if (programs > MaxWarps || !llvm::isPowerOf2_32(programs))
    return emitError() << "expected a power of two from 1 to " << MaxWarps << " programs, found " << programs;
  if (programs > 1 && warps > 1)
    return emitError() << "expected 1 warp where a block has " << programs << " programs, found " << warps;
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult LoopAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t stages,
                               uint32_t unroll, bool, bool, bool, bool) {
  // (loop_c2)
  if (stages > MaxStages)
    return emitError() << "expected at most " << MaxStages << " stages, found " << stages;
  if (unroll > MaxUnroll)
    return emitError() << "expected at most " << MaxUnroll << " iterations as one, found " << unroll;
  return success();
}

Attribute LoopAttr::parse(AsmParser &parser, Type) {
  uint32_t stages = 0, unroll = 0;
  bool flatten = false, singleAcc = false, specialize = false, noLicm = false;
  auto parseEntry = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    if (word == "stages")
      return failure(parser.parseEqual() || parser.parseInteger(stages));
    if (word == "unroll")
      return failure(parser.parseEqual() || parser.parseInteger(unroll));
    bool *flag = llvm::StringSwitch<bool *>(word)
                     .Case("flatten", &flatten)
                     .Case("single_acc", &singleAcc)
                     .Case("specialize", &specialize)
                     .Case("no_licm", &noLicm)
                     .Default(nullptr);
    if (!flag)
      return parser.emitError(loc) << "expected a property of a loop, found `" << word << "`";
    *flag = true;
    return success();
  };
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseEntry))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), stages, unroll, flatten,
                    singleAcc, specialize, noLicm);
}

void LoopAttr::print(AsmPrinter &printer) const {
  SmallVector<std::string> entries;
  if (getStages())
    entries.push_back("stages = " + std::to_string(getStages()));
  if (getUnroll())
    entries.push_back("unroll = " + std::to_string(getUnroll()));
  for (auto [isSet, word] : {std::pair(getFlatten(), "flatten"), std::pair(getSingleAcc(), "single_acc"),
                             std::pair(getSpecialize(), "specialize"), std::pair(getNoLicm(), "no_licm")})
    if (isSet)
      entries.push_back(word);
  printer << '<' << llvm::join(entries, ", ") << '>';
}

//===----------------------------------------------------------------------===//
// Occupancy and scratch
//===----------------------------------------------------------------------===//

LogicalResult OccupancyAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t blocks) {
  // (occupancy_c2)
  if (blocks < 1 || blocks > MaxResidentBlocks)
    return emitError() << "expected 1 to " << MaxResidentBlocks << " blocks, found " << blocks;
  return success();
}

LogicalResult ScratchAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t offset,
                                  uint32_t bytes) {
  // (scratch_c2)
  if (offset % 16 != 0)
    return emitError() << "expected an offset that is a multiple of 16, found " << offset;
  if (bytes == 0)
    return emitError() << "expected some bytes of scratch, found 0";
  return success();
}

//===----------------------------------------------------------------------===//
// Parameters, and where the attributes may be
//===----------------------------------------------------------------------===//

LogicalResult ParamAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                StringRef spelling, uint32_t divisibility, bool nonNegative, bool constant) {
  // (param_c1)
  if (name.empty())
    return emitError() << "expected the name of a parameter, found an empty one";
  // (param_c2)
  if (!llvm::isPowerOf2_32(divisibility))
    return emitError() << "expected a power of two as divisibility, found " << divisibility;
  // (param_c5)
  if (nonNegative && !llvm::is_contained({"i8", "i16", "i32", "i64"}, spelling))
    return emitError() << "expected a signed integer to be `nonneg`, found `" << spelling << "`";
  // (param_c6)
  if (constant && !spelling.starts_with("*"))
    return emitError() << "expected a pointer to be `constant`, found `" << spelling << "`";
  return success();
}

/// `tile.registers = 128 : i32` on a kernel: what a thread may have at most, because the caller says so.
static LogicalResult verifyRegisters(Operation *op, Attribute value) {
  auto count = dyn_cast<IntegerAttr>(value);
  if (!op->hasAttr("tile.kernel") || !count || !count.getType().isInteger(32) || count.getInt() < 1 ||
      count.getInt() > MaxRegisters)
    return op->emitError() << "expected `tile.registers` on a kernel, from 1 to " << MaxRegisters
                           << " as an i32";
  return success();
}

/// `tile.persistent = 1 : i32` on a kernel: blocks, so many to a multiprocessor, run several programs each.
static LogicalResult verifyPersistent(Operation *op, Attribute value) {
  auto blocks = dyn_cast<IntegerAttr>(value);
  auto kernel = op->getAttrOfType<KernelAttr>("tile.kernel");
  if (!kernel || kernel.getPrograms() != 1 || !blocks || !blocks.getType().isInteger(32) ||
      blocks.getInt() < 1 || blocks.getInt() > 32)
    return op->emitError()
           << "expected `tile.persistent` on a kernel whose programs share no block, from 1 to 32 as "
              "an i32";
  return success();
}

/// `tile.split_k` on a kernel: the caller asks that a cluster shares out its loop.
static LogicalResult verifySplitK(Operation *op, Attribute value) {
  if (!op->hasAttr("tile.kernel") || !isa<UnitAttr>(value))
    return op->emitError() << "expected `tile.split_k` on a kernel, without a value";
  return success();
}

/// Returns whether `op` is a kernel, or the function of LLVM that a kernel becomes, which has attributes for
/// the manifest.
static bool isKernel(Operation *op) { return op->hasAttr("tile.kernel") || op->hasAttr("nvvm.kernel"); }

/// `tile.splits = {size = 3 : i32, step = 64 : i32}` on a kernel: it has a loop of ceil(size / step)
/// iterations that a cluster could share out, `size` being the argument of that number, or a constant as an
/// i64. With `blocks = 8 : i32` up to so many blocks do. With `independent` its programs do not see each
/// other.
static LogicalResult verifySplits(Operation *op, Attribute value) {
  auto splits = dyn_cast<DictionaryAttr>(value);
  auto number = [&](StringRef name, unsigned bits) {
    auto found = splits ? splits.getAs<IntegerAttr>(name) : IntegerAttr();
    return found && found.getType().isInteger(bits) ? found.getInt() : -1;
  };
  auto kernel = dyn_cast<FunctionOpInterface>(op);
  const int64_t argument = number("size", 32);
  const bool hasSize =
      number("size", 64) >= 0 || (kernel && argument >= 0 && argument < kernel.getNumArguments());
  const bool isFlag = !splits || !splits.contains("independent") || isa<UnitAttr>(splits.get("independent"));
  const bool hasBlocks = splits && splits.contains("blocks");
  const int64_t blocks = number("blocks", 32);
  if (!isKernel(op) || !hasSize || !isFlag || number("step", 32) < 1 || (hasBlocks && !mayShare(blocks)))
    return op->emitError()
           << "expected `tile.splits` on a kernel, with a `size`, a `step` of 1 or more, and 2, 4 or 8 "
              "`blocks` or none";
  return success();
}

/// `tile.num_ctas = 4 : i32` on a kernel: the caller asks for clusters of so many blocks to a program.
/// `tile.cluster = 4 : i32`: each program is run by such a cluster.
static LogicalResult verifyClusterBlocks(Operation *op, NamedAttribute attribute) {
  auto blocks = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!isKernel(op) || !blocks || !blocks.getType().isInteger(32) || !mayShare(blocks.getInt()))
    return op->emitError() << "expected `" << attribute.getName().getValue()
                           << "` on a kernel, as 2, 4 or 8 blocks, an i32";
  return success();
}

/// `tile.ordered` on a kernel: a block with the number of one program does the work of another.
static LogicalResult verifyOrdered(Operation *op, Attribute value) {
  if (!isKernel(op) || !isa<UnitAttr>(value))
    return op->emitError() << "expected `tile.ordered` on a kernel, without a value";
  return success();
}

/// `tile.pairs` on a persistent kernel: neighbouring blocks may be clusters of two, which load for each
/// other.
static LogicalResult verifyPairs(Operation *op, Attribute value) {
  if (!isKernel(op) || !op->hasAttr("tile.persistent") || !isa<UnitAttr>(value))
    return op->emitError() << "expected `tile.pairs` on a kernel with `tile.persistent`, without a value";
  return success();
}

/// `tile.in_front = array<i32: 0>` on a copy or load of boxes: along these axes of its map a box may begin in
/// front of the array.
static LogicalResult verifyInFront(Operation *op, Attribute value) {
  auto axes = dyn_cast<DenseI32ArrayAttr>(value);
  const StringRef name = op->getName().getStringRef();
  if (!axes || (name != "tgpu.tma_copy" && name != "tgpu.tma_load") ||
      !llvm::all_of(axes.asArrayRef(), [](int32_t axis) { return axis >= 0; }))
    return op->emitError() << "expected `tile.in_front` on a TMA copy, as numbers of axes";
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == "tile.kernel")
    return verifyKernel(op, attribute.getValue());
  if (attribute.getName() == "tile.target")
    return verifyTarget(op, attribute.getValue());
  if (attribute.getName() == "tile.without")
    return verifyWithout(op, attribute.getValue());
  if (attribute.getName() == LibrariesAttrName)
    return verifyLibraries(op, attribute.getValue());
  if (attribute.getName() == ExternAttrName)
    return verifyExtern(op, attribute.getValue());
  if (attribute.getName() == "tile.loop")
    return verifyLoop(op, attribute.getValue());
  if (attribute.getName() == "tile.occupancy")
    return verifyOccupancy(op, attribute.getValue());
  if (attribute.getName() == "tile.scratch")
    return verifyScratch(op, attribute.getValue());
  if (attribute.getName() == "tile.registers")
    return verifyRegisters(op, attribute.getValue());
  if (attribute.getName() == "tile.persistent")
    return verifyPersistent(op, attribute.getValue());
  const bool isOfBox = attribute.getName() == "tile.no_box" || attribute.getName() == "tile.no_box_advice";
  if (isOfBox && isa<LoadOp, StoreOp>(op) && isa<StringAttr>(attribute.getValue()))
    return success();
  if (attribute.getName() == "tile.split_k")
    return verifySplitK(op, attribute.getValue());
  if (attribute.getName() == "tile.splits")
    return verifySplits(op, attribute.getValue());
  if (attribute.getName() == "tile.num_ctas" || attribute.getName() == "tile.cluster")
    return verifyClusterBlocks(op, attribute);
  if (attribute.getName() == "tile.ordered")
    return verifyOrdered(op, attribute.getValue());
  if (attribute.getName() == "tile.pairs")
    return verifyPairs(op, attribute.getValue());
  if (attribute.getName() == "tile.in_front")
    return verifyInFront(op, attribute.getValue());
  return op->emitError() << "expected `tile.kernel`, `tile.loop` or `tile.target`, found `"
                         << attribute.getName().getValue() << "`";
}

/// `tile.finer = 8 : i32` next to `tile.param`: accesses would be wider where the argument is a multiple of
/// more.
static LogicalResult verifyFiner(Operation *op, unsigned argIndex, Attribute value) {
  auto divisor = dyn_cast<IntegerAttr>(value);
  if (!divisor || !divisor.getType().isInteger(32) || !llvm::is_contained({2, 4, 8}, divisor.getInt()))
    return op->emitError() << "expected 2, 4 or 8 as the `tile.finer` of argument " << argIndex
                           << ", an i32, found " << value;
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex, unsigned argIndex,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == "tile.finer")
    return verifyFiner(op, argIndex, attribute.getValue());
  auto param = dyn_cast<ParamAttr>(attribute.getValue());
  // (param_c3)
  if (attribute.getName() != "tile.param" || !param)
    return op->emitError() << "expected `tile.param = #tile.param<...>` on argument " << argIndex
                           << ", found `" << attribute.getName().getValue() << " = " << attribute.getValue()
                           << "`";
  // (param_c4); lowered functions keep the attribute, so only they may have other types.
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    return success();
  Type expected = typeOfSpelling(param.getSpelling(), op->getContext());
  Type found = function.getArgument(argIndex).getType();
  if (!expected)
    return op->emitError() << "expected the type of parameter `" << param.getName() << "`, found `"
                           << param.getSpelling() << "`";
  if (expected != found)
    return op->emitError() << "expected parameter `" << param.getName() << "` of type " << expected
                           << ", found " << found;
  return success();
}
