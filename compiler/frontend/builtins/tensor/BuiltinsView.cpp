// Arrays in memory that are read and written by blocks: block pointers and tensor descriptors.
#include "compiler/frontend/builtins/tensor/BuiltinsView.h"

#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/spec/Descriptor.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;

template <> std::optional<Descriptor> eval::argumentAs(Call &call, size_t index) {
  if (const Descriptor *descriptor = call.value(index).as<Descriptor>())
    return *descriptor;
  call.errorAt(index, "expected a tensor descriptor, found " + describe(call.value(index)));
  return std::nullopt;
}

namespace {

constexpr Dtype int32{ScalarKind::Int32}, int64{ScalarKind::Int64};

using Scalars = llvm::SmallVector<Tensor, 8>;

mlir::Value makeView(Emitter &emit, const Access &base, llvm::ArrayRef<Tensor> sizes,
                     llvm::ArrayRef<Tensor> strides) {
  auto type = tile::ViewType::get(unsigned(sizes.size()), emit.type(base.element));
  return tile::ViewOp::create(emit.builder, emit.loc, type, base.pointer.ir, irOf(sizes), irOf(strides));
}

/// `item`, a part of argument `index`, as a scalar integer of type `to`: numbers have to fit, and 64 bits are
/// not cut to 32.
std::optional<Tensor> integerScalar(Call &call, size_t index, const Value &item, Dtype to) {
  SourceRange place = call.rangeOf(index);
  if (item.isPoison() || !call.evaluator.hasValue(item, place))
    return std::nullopt;
  if (std::optional<Int> number = item.asInt()) {
    if (fits(*number, to))
      return call.emit.constant(*number, to);
    call.errorAt(index, "expected numbers of type " + typeName(to) + ", found " + toString(*number));
    return std::nullopt;
  }
  const Tensor *tensor = item.as<Tensor>();
  if (!tensor || !tensor->isScalar() || !tensor->dtype.isInt()) {
    call.errorAt(index, "expected integer scalars, found " + describe(item));
    return std::nullopt;
  }
  if (tensor->dtype.bits() > to.bits()) {
    call.report(place, "expected integers of 32 bits, found " + describe(item)).help =
        "convert it with `.to(tl.int32)`: a block starts at coordinates of 32 bits";
    return std::nullopt;
  }
  return call.emit.cast(*tensor, to);
}

/// Argument `index`, a tuple or list, or one value alone, as integers of type `to`; `rank` of them unless
/// that is 0.
std::optional<Scalars> integerScalars(Call &call, size_t index, Dtype to, size_t rank,
                                      std::string_view what) {
  const Value &value = call.value(index);
  const Tuple *tuple = value.as<Tuple>();
  Scalars scalars;
  for (const Value &item : tuple ? tuple->items : llvm::ArrayRef<Value>(value)) {
    std::optional<Tensor> scalar = integerScalar(call, index, item, to);
    if (!scalar)
      return std::nullopt;
    scalars.push_back(*scalar);
  }
  if (!rank || scalars.size() == rank)
    return scalars;
  call.errorAt(index, "expected " + std::to_string(rank) + " " + std::string(what) +
                          ", one for each dimension, found " + std::to_string(scalars.size()));
  return std::nullopt;
}

/// Argument `index` as the sides of a block of `rank` axes.
std::optional<Shape> blockShape(Call &call, size_t index, Dtype element, size_t rank) {
  std::optional<llvm::SmallVector<Int, 8>> sides = call.integers(index);
  if (!sides)
    return std::nullopt;
  if (sides->size() != rank) {
    call.errorAt(index, "expected a block of " + std::to_string(rank) + " dimensions like the shape, found " +
                            std::to_string(sides->size()));
    return std::nullopt;
  }
  if (!call.semantics.checkShape(*sides, call.rangeOf(index)))
    return std::nullopt;
  return eval::blockShape(call.emit, *sides, element);
}

/// Argument 0 as the address of an array.
std::optional<Access> baseArgument(Call &call) {
  std::optional<Access> base = pointerArgument(call);
  if (!base || base->pointer.isScalar())
    return base;
  call.errorAt(0, "expected one pointer, found " + describe(call.value(0)));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Block pointers
//===----------------------------------------------------------------------===//

bool checkOrder(Call &call, size_t index, size_t rank) {
  std::optional<llvm::SmallVector<Int, 8>> order = call.integers(index);
  if (!order)
    return false;
  llvm::SmallVector<Int, 8> sorted(*order);
  llvm::sort(sorted);
  bool isPermutation = sorted.size() == rank;
  for (size_t i = 0; isPermutation && i < rank; ++i)
    isPermutation = sorted[i] == Int(i);
  if (!isPermutation)
    call.errorAt(index, "expected each dimension from 0 to " + std::to_string(rank - 1) + " once, found " +
                            toText(call.value(index), true));
  return isPermutation;
}

Value makeBlockPtr(Call &call) {
  enum { Base, ShapeOf, Strides, Offsets, BlockShape, Order };
  std::optional<Access> base = baseArgument(call);
  std::optional<Scalars> sizes = integerScalars(call, ShapeOf, int64, 0, "sides");
  if (!base || !sizes)
    return Poison();
  const size_t rank = sizes->size();
  if (rank < 1 || rank > MaxTensorRank)
    return call.errorAt(ShapeOf, "expected 1 to " + std::to_string(MaxTensorRank) + " dimensions, found " +
                                     std::to_string(rank));
  std::optional<Scalars> strides = integerScalars(call, Strides, int64, rank, "strides"),
                         starts = integerScalars(call, Offsets, int32, rank, "offsets");
  std::optional<Shape> block = blockShape(call, BlockShape, base->element, rank);
  if (!strides || !starts || !block || !checkOrder(call, Order, rank))
    return Poison();
  BlockPointer pointer;
  pointer.view = makeView(call.emit, *base, *sizes, *strides);
  pointer.starts = call.evaluator.memory.keepAll(*starts);
  pointer.block = *block;
  pointer.element = base->element;
  pointer.isConst = call.value(Base).as<Tensor>()->dtype.isConst;
  return pointer;
}

Value advance(Call &call) {
  const BlockPointer *pointer = call.value(0).as<BlockPointer>();
  if (!pointer)
    return call.errorAt(0, "expected a block pointer, found " + describe(call.value(0)));
  std::optional<Scalars> steps = integerScalars(call, 1, int32, pointer->block.size(), "offsets");
  if (!steps)
    return Poison();
  for (auto [step, start] : llvm::zip_equal(*steps, startsOf(*pointer)))
    step.ir = call.emit.make<mlir::arith::AddIOp>(start.ir, step.ir);
  BlockPointer moved = *pointer;
  moved.starts = call.evaluator.memory.keepAll(*steps);
  return moved;
}

/// The axes of argument `index`, in order.
std::optional<llvm::SmallVector<int32_t, 8>> checkedAxes(Call &call, size_t index, size_t rank) {
  llvm::SmallVector<int32_t, 8> axes;
  if (!call.given(index))
    return axes;
  std::optional<llvm::SmallVector<Int, 8>> numbers = call.integers(index);
  if (!numbers)
    return std::nullopt;
  for (Int number : *numbers) {
    if (number < 0 || number >= Int(rank) || llvm::is_contained(axes, int32_t(number))) {
      call.errorAt(index, "expected dimensions from 0 to " + std::to_string(rank - 1) +
                              ", each once, found " + toText(call.value(index), true));
      return std::nullopt;
    }
    axes.push_back(int32_t(number));
  }
  llvm::sort(axes);
  return axes;
}

std::optional<tile::Padding> paddingArgument(Call &call, size_t index, Dtype element) {
  std::optional<std::string_view> text = call.text(index, "");
  if (!text)
    return std::nullopt;
  if (text->empty())
    return tile::Padding::None;
  if (*text == "zero")
    return tile::Padding::Zero;
  if (*text != "nan")
    call.errorAt(index, "expected 'zero' or 'nan' as the padding, found '" + std::string(*text) + "'");
  else if (!canPadWithNan(element))
    call.errorAt(index, "expected floats to pad with 'nan', found " + typeName(element));
  else
    return tile::Padding::NaN;
  return std::nullopt;
}

/// "(0, 1)": the dimensions of a block pointer.
std::string allDimensions(const Value &pointer) {
  std::string text;
  const size_t rank = pointer.as<BlockPointer>()->block.size();
  for (size_t i = 0; i < rank; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i);
  return "(" + text + (rank == 1 ? ",)" : ")");
}

/// Reports a mask given with a block pointer.
bool refuseMask(Call &call, std::initializer_list<size_t> parameters) {
  for (size_t index : parameters)
    if (call.given(index)) {
      Diagnostic &diagnostic = call.report(call.rangeOf(index), "a block pointer takes no mask");
      diagnostic.help = "name the dimensions that may reach over the edge: `boundary_check=(0, 1)`";
      if (call.valueRange(index) != call.rangeOf(index) && call.builtin.parameters[index].name == "mask")
        call.reporter.addFix(diagnostic, call.rangeOf(index),
                             "boundary_check=" + allDimensions(call.value(0)));
      return false;
    }
  return true;
}

/// Argument `index` as what is stored into a block.
std::optional<Tensor> blockValue(Call &call, size_t index, Dtype element, Shape block) {
  const Value &stored = call.value(index);
  if (!stored.is<Tensor>() && !stored.isNumber()) {
    if (!stored.isPoison())
      call.errorAt(index, "expected a number or a tensor, found " + describe(stored));
    return std::nullopt;
  }
  std::optional<Tensor> value = call.semantics.convert(stored, element, call.rangeOf(index));
  if (!value)
    return std::nullopt;
  if (value->isScalar())
    return call.emit.splat(*value, block);
  if (value->shape() == block)
    return value;
  Diagnostic &diagnostic =
      call.report(call.rangeOf(index), "expected a value of the block's shape " + shapeText(block) +
                                           ", found " + describe(stored));
  call.reporter.addOrigin(diagnostic, stored.as<Tensor>()->ir, "the value is made here");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tensor descriptors
//===----------------------------------------------------------------------===//

bool isOne(const Tensor &scalar) {
  auto constant = scalar.ir.getDefiningOp<mlir::arith::ConstantOp>();
  auto number = constant ? llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue()) : mlir::IntegerAttr();
  return number && number.getInt() == 1;
}

Value makeTensorDescriptor(Call &call) {
  enum { Base, ShapeOf, Strides, BlockShape, Padding };
  std::optional<Access> base = baseArgument(call);
  std::optional<Scalars> sizes = integerScalars(call, ShapeOf, int32, 0, "sides");
  if (!base || !sizes)
    return Poison();
  const size_t rank = sizes->size();
  if (rank < 1 || rank > maxDescriptorRank)
    return call.errorAt(ShapeOf, "expected 1 to " + std::to_string(maxDescriptorRank) +
                                     " dimensions, found " + std::to_string(rank));
  std::optional<Scalars> strides = integerScalars(call, Strides, int64, rank, "strides");
  std::optional<Shape> block = blockShape(call, BlockShape, base->element, rank);
  std::optional<tile::Padding> padding = paddingArgument(call, Padding, base->element);
  if (!strides || !block || !padding)
    return Poison();
  if (!isOne(strides->back()))
    return call.errorAt(Strides, "expected 1 as the last stride, known at compile time");
  if (std::string wrong = wrongBlock(*block, base->element); !wrong.empty())
    return call.errorAt(BlockShape, wrong);
  return describeArray(call.evaluator, *base, *sizes, *strides, *block, *padding == tile::Padding::NaN);
}

/// All of them: a descriptor checks every dimension.
llvm::SmallVector<int32_t, 8> allAxes(size_t rank) {
  return llvm::to_vector<8>(llvm::seq<int32_t>(0, int32_t(rank)));
}

/// fp32 with the ten bits of fraction that tf32 has, rounded to nearest and ties away from zero. Infinities
/// and NaNs stay what they are.
Tensor roundedToTf32(Emitter &emit, Tensor value) {
  const Dtype bits{ScalarKind::Int32};
  const Tensor number = emit.bitcast(value, bits);
  auto constant = [&](int32_t held) { return emit.constant(Int(held), bits, value.shape()).ir; };
  mlir::Value rounded =
      emit.make<arith::AndIOp>(emit.make<arith::AddIOp>(number.ir, constant(0x1000)), constant(~0x1fff));
  mlir::Value exponent = emit.make<arith::AndIOp>(number.ir, constant(0x7f800000));
  mlir::Value isFinite = emit.make<arith::CmpIOp>(arith::CmpIPredicate::ne, exponent, constant(0x7f800000));
  return emit.bitcast({emit.make<arith::SelectOp>(isFinite, rounded, number.ir), bits}, value.dtype);
}

/// `_descriptor_rounding(desc)`: the descriptor whose loads round to tf32.
Value descriptorRounding(Call &, Descriptor descriptor) {
  descriptor.roundsToTf32 = true;
  return descriptor;
}

/// `_descriptor_rounded(desc, value)`: what a load by `desc` makes of elements.
Value descriptorRounded(Call &call, const Descriptor &descriptor, Tensor value) {
  return descriptor.roundsToTf32 ? roundedToTf32(call.emit, value) : value;
}

Value loadTensorDescriptor(Call &call, const Descriptor &descriptor) {
  const size_t rank = descriptor.block.size();
  std::optional<Scalars> starts = integerScalars(call, 1, int32, rank, "offsets");
  if (!starts)
    return Poison();
  auto padding = descriptor.padsWithNan ? tile::Padding::NaN : tile::Padding::Zero;
  mlir::Type type = call.emit.type(descriptor.element, descriptor.block);
  const Tensor read{call.emit.make<tile::ViewLoadOp>(type, descriptor.view, irOf(*starts), allAxes(rank),
                                                     padding, tile::CacheModifier::None,
                                                     tile::EvictionPolicy::Normal, false),
                    descriptor.element};
  return descriptor.roundsToTf32 ? roundedToTf32(call.emit, read) : read;
}

Value storeTensorDescriptor(Call &call, const Descriptor &descriptor) {
  const size_t rank = descriptor.block.size();
  std::optional<Scalars> starts = integerScalars(call, 1, int32, rank, "offsets");
  std::optional<Tensor> value = blockValue(call, 2, descriptor.element, descriptor.block);
  if (!starts || !value)
    return Poison();
  tile::ViewStoreOp::create(call.emit.builder, call.emit.loc, descriptor.view, irOf(*starts), value->ir,
                            allAxes(rank));
  return None();
}

/// `_descriptor_base(desc)`: where the array begins.
Value descriptorBase(Call &call, const Descriptor &descriptor) {
  const Dtype type = descriptor.element.pointerTo();
  return Tensor{call.emit.make<tile::ViewBaseOp>(call.emit.type(type), descriptor.view), type};
}

/// `_descriptor_padding(desc)`: what lies outside of the array.
Value descriptorPadding(Call &, const Descriptor &descriptor) {
  return descriptor.padsWithNan ? Value(std::numeric_limits<double>::quiet_NaN()) : Value(Int(0));
}

} // namespace

Shape eval::blockShape(Emitter &emit, llvm::ArrayRef<Int> sides, Dtype element) {
  llvm::SmallVector<int64_t, 8> shape(sides.begin(), sides.end());
  return llvm::cast<mlir::RankedTensorType>(emit.type(element, shape)).getShape();
}

std::string eval::wrongBlock(Shape block, Dtype element) {
  constexpr int64_t leastBytes = 16;
  const int64_t bytes = block.back() * int64_t(element.bits()) / 8;
  return bytes >= leastBytes ? ""
                             : "Descriptor block shape must have at least " + std::to_string(leastBytes) +
                                   " bytes in the last dimension, found " + std::to_string(bytes);
}

bool eval::canPadWithNan(Dtype element) { return element.isFloat() && !element.isPackedFloat(); }

Descriptor eval::describeArray(Evaluation &evaluator, const Access &base, llvm::ArrayRef<Tensor> sizes,
                               llvm::ArrayRef<Tensor> strides, Shape block, bool padsWithNan) {
  Scalars wide;
  for (const Tensor &size : sizes)
    wide.push_back(evaluator.emit.cast(size, int64));
  Descriptor descriptor;
  descriptor.view = makeView(evaluator.emit, base, wide, strides);
  descriptor.sizes = evaluator.memory.keepAll(sizes);
  descriptor.strides = evaluator.memory.keepAll(strides);
  descriptor.block = block;
  descriptor.element = base.element;
  descriptor.padsWithNan = padsWithNan;
  return descriptor;
}

Value eval::loadBlock(Call &call) {
  using namespace loads;
  const BlockPointer &pointer = *call.value(Pointer).as<BlockPointer>();
  std::optional<CacheHints> hints = cacheHintsOfLoad(call, Cache, Evict);
  std::optional<bool> isVolatile = call.flag(Volatile, false);
  std::optional<llvm::SmallVector<int32_t, 8>> axes = checkedAxes(call, Check, pointer.block.size());
  std::optional<tile::Padding> padding = paddingArgument(call, Padding, pointer.element);
  if (!hints || !isVolatile || !axes || !padding || !refuseMask(call, {Mask, Other}))
    return Poison();
  mlir::Type type = call.emit.type(pointer.element, pointer.block);
  return Tensor{call.emit.make<tile::ViewLoadOp>(type, pointer.view, irOf(startsOf(pointer)), *axes, *padding,
                                                 hints->cache, hints->evict, *isVolatile),
                pointer.element};
}

Value eval::storeBlock(Call &call) {
  using namespace stores;
  const BlockPointer &pointer = *call.value(Pointer).as<BlockPointer>();
  std::optional<CacheHints> hints = cacheHintsOfStore(call, Cache, Evict);
  std::optional<llvm::SmallVector<int32_t, 8>> axes = checkedAxes(call, Check, pointer.block.size());
  std::optional<Tensor> value = blockValue(call, Stored, pointer.element, pointer.block);
  if (!hints || !axes || !value || !refuseMask(call, {Mask}))
    return Poison();
  if (pointer.isConst)
    return call.errorAt(Pointer, "Cannot store to a constant pointer, found " + describe(call.value(0)));
  tile::ViewStoreOp::create(call.emit.builder, call.emit.loc, pointer.view, irOf(startsOf(pointer)),
                            value->ir, *axes, hints->cache, hints->evict);
  return None();
}

#include "compiler/frontend/builtins/tensor/BuiltinsView.inc"
