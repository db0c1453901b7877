// Text, builders, effects and verifiers of the ops on pointers.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 3>;

//===----------------------------------------------------------------------===//
// Text, shared by load and store
//===----------------------------------------------------------------------===//

/// ` name = keyword`, if it is there, into `value`.
template <typename Enum>
static ParseResult parseHint(OpAsmParser &parser, StringRef name, std::optional<Enum> (*symbolize)(StringRef),
                             Enum &value) {
  if (failed(parser.parseOptionalKeyword(name)))
    return success();
  StringRef keyword;
  if (parser.parseEqual())
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> parsed = symbolize(keyword);
  if (!parsed)
    return parser.emitError(loc) << "expected a value of `" << name << "`, found `" << keyword << "`";
  value = *parsed;
  return success();
}

/// `%p, ... in %box cache = cg evict = evict_last volatile {...} : type of the pointer`, the last flag only
/// where `isVolatile` is not null.
static ParseResult parseAccess(OpAsmParser &parser, OperationState &state, Operands &operands,
                               Operands &box, unsigned minOperands, CacheModifier &cache,
                               EvictionPolicy &evict, bool *isVolatile, Type &pointer) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands))
    return failure();
  if (operands.size() < minOperands || operands.size() > 3)
    return parser.emitError(loc) << "expected " << minOperands << " to 3 operands, found " << operands.size();
  if (succeeded(parser.parseOptionalKeyword("in")) && parser.parseOperand(box.emplace_back()))
    return failure();
  if (parseHint<CacheModifier>(parser, "cache", symbolizeCacheModifier, cache) ||
      parseHint<EvictionPolicy>(parser, "evict", symbolizeEvictionPolicy, evict))
    return failure();
  if (isVolatile)
    *isVolatile = succeeded(parser.parseOptionalKeyword("volatile"));
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColon())
    return failure();
  loc = parser.getCurrentLocation();
  if (parser.parseType(pointer))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(pointer);
  if (!isa<PtrType>(tensor ? tensor.getElementType() : pointer))
    return parser.emitError(loc) << "expected a pointer or a tensor of pointers, found " << pointer;
  return success();
}

/// The operands with these types, and the box behind them.
static ParseResult resolve(OpAsmParser &parser, const Operands &operands, ArrayRef<Type> types, const Operands &box,
                           llvm::SMLoc loc, OperationState &state) {
  if (parser.resolveOperands(operands, types, loc, state.operands))
    return failure();
  return parser.resolveOperands(box, BoxType::get(parser.getContext()), state.operands);
}

template <typename Op> static void printAccess(OpAsmPrinter &printer, Op op, bool isVolatile) {
  printer << ' ' << op->getOperands().drop_back(op.getBox() ? 1 : 0);
  if (op.getBox())
    printer << " in " << op.getBox();
  if (op.getCache() != CacheModifier::None)
    printer << " cache = " << stringifyCacheModifier(op.getCache());
  if (op.getEvict() != EvictionPolicy::Normal)
    printer << " evict = " << stringifyEvictionPolicy(op.getEvict());
  if (isVolatile)
    printer << " volatile";
  printer.printOptionalAttrDict(op->getAttrs(), {"operandSegmentSizes", "cache", "evict", "isVolatile"});
  printer << " : " << op.getPointer().getType();
}

static Type maskTypeOf(Type pointer) {
  return withElementType(pointer, IntegerType::get(pointer.getContext(), 1));
}
static Type valueTypeOf(Type pointer) { return withElementType(pointer, pointeeOf(pointer)); }

/// Checks the value read or written against the pointer, and the cache modifier against `allowed`.
template <typename Op>
static LogicalResult verifyAccess(Op op, Type value, llvm::ArrayRef<CacheModifier> allowed) {
  Type pointee = pointeeOf(op.getPointer().getType());
  // (load_c1, store_c1)
  if (elementTypeOf(value) != pointee)
    return op.emitOpError() << "expected a value of type " << pointee << ", found " << elementTypeOf(value);
  // (load_c2, store_c2)
  if (pointee.isInteger(1))
    return op.emitOpError("expected a pointee of whole bytes, found `i1`");
  // (load_c3, store_c3)
  if (!llvm::is_contained(allowed, op.getCache()))
    return op.emitOpError() << "expected a cache modifier of this kind of access, found `"
                            << stringifyCacheModifier(op.getCache()) << "`";
  return success();
}

//===----------------------------------------------------------------------===//
// load
//===----------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value pointer, Value mask, Value other,
                   CacheModifier cache, EvictionPolicy evict, bool isVolatile) {
  build(builder, state, valueTypeOf(pointer.getType()), pointer, mask, other, /*box=*/Value(), cache, evict,
        isVolatile);
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands operands, box;
  CacheModifier cache = CacheModifier::None;
  EvictionPolicy evict = EvictionPolicy::Normal;
  bool isVolatile = false;
  Type pointer;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseAccess(parser, state, operands, box, 1, cache, evict, &isVolatile, pointer))
    return failure();
  SmallVector<Type, 3> types{pointer, maskTypeOf(pointer), valueTypeOf(pointer)};
  types.resize(operands.size());
  auto &properties = state.getOrAddProperties<Properties>();
  properties.cache = CacheModifierAttr::get(parser.getContext(), cache);
  properties.evict = EvictionPolicyAttr::get(parser.getContext(), evict);
  if (isVolatile)
    properties.isVolatile = parser.getBuilder().getUnitAttr();
  properties.operandSegmentSizes = {1, operands.size() > 1, operands.size() > 2, int32_t(box.size())};
  state.addTypes(valueTypeOf(pointer));
  return resolve(parser, operands, types, box, loc, state);
}

void LoadOp::print(OpAsmPrinter &printer) { printAccess(printer, *this, getIsVolatile()); }

void LoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPointerMutable(), SideEffects::DefaultResource::get());
  if (getIsVolatile()) // so that it is neither dropped nor merged with another
    effects.emplace_back(MemoryEffects::Write::get(), &getPointerMutable(),
                         SideEffects::DefaultResource::get());
}

GlobalAccess LoadOp::getGlobalAccess() {
  return {.address = getPointer(), .mask = getMask(), .reads = true, .isVolatile = getIsVolatile()};
}

LogicalResult LoadOp::verify() {
  using enum CacheModifier;
  if (failed(verifyAccess(*this, getType(), {None, CA, CG, CS, CV})))
    return failure();
  // (load_c4)
  if (getOther() && !getMask())
    return emitOpError("expected a mask with the value for masked elements");
  // (load_c5)
  if (getOther() && getOther().getType() != getType())
    return emitOpError() << "expected a value of type " << getType() << " for masked elements, found "
                         << getOther().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// store
//===----------------------------------------------------------------------===//

void StoreOp::build(OpBuilder &builder, OperationState &state, Value pointer, Value value, Value mask,
                    CacheModifier cache, EvictionPolicy evict) {
  build(builder, state, pointer, value, mask, /*box=*/Value(), cache, evict);
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands operands, box;
  CacheModifier cache = CacheModifier::None;
  EvictionPolicy evict = EvictionPolicy::Normal;
  Type pointer;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseAccess(parser, state, operands, box, 2, cache, evict, nullptr, pointer))
    return failure();
  SmallVector<Type, 3> types{pointer, valueTypeOf(pointer), maskTypeOf(pointer)};
  types.resize(operands.size());
  auto &properties = state.getOrAddProperties<Properties>();
  properties.cache = CacheModifierAttr::get(parser.getContext(), cache);
  properties.evict = EvictionPolicyAttr::get(parser.getContext(), evict);
  properties.operandSegmentSizes = {1, 1, operands.size() > 2, int32_t(box.size())};
  return resolve(parser, operands, types, box, loc, state);
}

void StoreOp::print(OpAsmPrinter &printer) { printAccess(printer, *this, false); }

void StoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getPointerMutable(),
                       SideEffects::DefaultResource::get());
}

GlobalAccess StoreOp::getGlobalAccess() {
  return {.address = getPointer(), .mask = getMask(), .writes = true};
}

LogicalResult StoreOp::verify() {
  using enum CacheModifier;
  return verifyAccess(*this, getValue().getType(), {None, WB, CG, CS, WT});
}
