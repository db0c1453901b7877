// The pass `expand-views`: Passes.td says what it does and why it is where it is.

#include "compiler/simplify/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace tegula {
#define GEN_PASS_DEF_EXPANDVIEWSPASS
#include "compiler/simplify/Passes.h.inc"
} // namespace tegula

namespace {

/// The parts of a view, as the conversion hands it on: its base, its sizes, its strides.
struct Parts {
  explicit Parts(ValueRange values)
      : base(values.front()), sizes(values.slice(1, values.size() / 2)),
        strides(values.drop_front(1 + values.size() / 2)) {}

  Value base;
  ValueRange sizes, strides;
};

/// A view is its parts.
struct ViewConverter : TypeConverter {
  ViewConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](ViewType type, SmallVectorImpl<Type> &parts) {
      parts.push_back(PtrType::get(type.getElement()));
      parts.append(2 * size_t(type.getRank()), IntegerType::get(type.getContext(), 64));
      return success();
    });
  }
};

/// The ops that one access of a view becomes.
class AccessBuilder {
public:
  AccessBuilder(OpBuilder &builder, Location loc, const Parts &view, ValueRange start, RankedTensorType block)
      : builder(builder), loc(loc), view(view), start(start), block(block) {}

  /// Computes the pointer of each element of the block. Terms that are the same for all move a scalar; along
  /// an axis of stride 1 the steps are constants of 32 bits.
  Value pointers() {
    Value base = view.base;
    for (auto [at, stride] : llvm::zip_equal(start, view.strides)) {
      Value wide = builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(), at);
      Value step = builder.createOrFold<arith::MulIOp>(loc, wide, stride);
      base = builder.createOrFold<AddPtrOp>(loc, base, step);
    }
    SmallVector<int64_t> shape(size_t(block.getRank()), 1);
    Value result = splat(base, shape);
    // Axes of stride 1 last: what comes before them is the same for a whole row.
    for (bool adjacent : {false, true})
      for (unsigned axis = 0; axis < shape.size(); ++axis) {
        if (block.getDimSize(axis) == 1 || matchPattern(view.strides[axis], m_One()) != adjacent)
          continue;
        shape[axis] = block.getDimSize(axis);
        result = AddPtrOp::create(builder, loc, broadcast(result, shape), broadcast(steps(axis), shape));
      }
    return result;
  }

  /// Computes where the block is inside along each axis of `checked`; null where there is none.
  Value mask(ArrayRef<int32_t> checked) {
    Value result;
    for (int32_t axis : checked) {
      Value inside = broadcast(isInside(unsigned(axis)), block.getShape());
      result = result ? arith::AndIOp::create(builder, loc, result, inside) : inside;
    }
    return result;
  }

private:
  SmallVector<int64_t> shapeAlong(unsigned axis) const {
    SmallVector<int64_t> shape(size_t(block.getRank()), 1);
    shape[axis] = block.getDimSize(axis);
    return shape;
  }

  Value splat(Value scalar, ArrayRef<int64_t> shape) {
    return SplatOp::create(builder, loc, RankedTensorType::get(shape, scalar.getType()), scalar);
  }

  Value broadcast(Value tensor, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return type.getShape() == shape
               ? tensor
               : BroadcastOp::create(builder, loc, type.clone(shape), tensor).getResult();
  }

  /// 0, 1, 2, ... along `axis`.
  Value positions(unsigned axis) {
    int64_t side = block.getDimSize(axis);
    Value line =
        ArangeOp::create(builder, loc, RankedTensorType::get(side, builder.getI32Type()), 0, uint32_t(side));
    SmallVector<int64_t> shape{side};
    for (unsigned other = 0; other < unsigned(block.getRank()); ++other)
      if (other != axis) {
        shape.insert(shape.begin() + (other < axis ? 0 : shape.size()), 1);
        auto type = RankedTensorType::get(shape, builder.getI32Type());
        line = ExpandDimsOp::create(builder, loc, type, line, other);
      }
    return line;
  }

  Value widened(Value narrow) {
    Type type = withElementType(narrow.getType(), builder.getI64Type());
    return builder.createOrFold<arith::ExtSIOp>(loc, type, narrow);
  }

  Value steps(unsigned axis) {
    Value line = positions(axis), stride = view.strides[axis];
    if (matchPattern(stride, m_One()))
      return line;
    return arith::MulIOp::create(builder, loc, widened(line), splat(stride, shapeAlong(axis)));
  }

  /// The number of 32 bits that `size` is widened from, if it is one.
  Value narrowed(Value size) {
    APInt number;
    if (matchPattern(size, m_ConstantInt(&number)) && number.isSignedIntN(32))
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI32IntegerAttr(int32_t(number.getSExtValue())));
    auto widening = size.getDefiningOp<arith::ExtSIOp>();
    if (!widening || widening.getIn().getType().getIntOrFloatBitWidth() > 32)
      return {};
    return builder.createOrFold<arith::ExtSIOp>(loc, builder.getI32Type(), widening.getIn());
  }

  /// `0 <= start + i < size` by one comparison: as unsigned numbers, negative coordinates are too large. In
  /// 32 bits where the size has no more: a sum that wraps round is one of those.
  Value isInside(unsigned axis) {
    Value size = narrowed(view.sizes[axis]), at = start[axis], line = positions(axis);
    if (!size) {
      size = view.sizes[axis];
      at = widened(at);
      line = widened(line);
    }
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(size.getType()));
    Value count = builder.createOrFold<arith::MaxSIOp>(loc, size, zero);
    SmallVector<int64_t> shape = shapeAlong(axis);
    Value place = builder.createOrFold<arith::AddIOp>(loc, splat(at, shape), line);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place, splat(count, shape));
  }

  OpBuilder &builder;
  Location loc;
  const Parts &view;
  ValueRange start;
  RankedTensorType block;
};

struct ExpandView : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ViewOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{op.getBase()};
    llvm::append_range(parts, op.getSizes());
    llvm::append_range(parts, op.getStrides());
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ExpandBase : OpConversionPattern<ViewBaseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ViewBaseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, Parts(adaptor.getView()).base);
    return success();
  }
};

/// Expands a branch that only chooses.
struct ExpandSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [yes, no] : llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(
          arith::SelectOp::create(rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ExpandLoad : OpConversionPattern<ViewLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ViewLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Parts view(adaptor.getView());
    RankedTensorType type = op.getType();
    AccessBuilder access(rewriter, op.getLoc(), view, op.getStart(), type);
    Value pointers = access.pointers(), mask = access.mask(op.getChecked()), other;
    if (mask && op.getPadding() != Padding::None)
      other = arith::ConstantOp::create(rewriter, op.getLoc(), paddingOf(op, type));
    rewriter.replaceOpWithNewOp<LoadOp>(op, pointers, mask, other, op.getCache(), op.getEvict(),
                                        op.getIsVolatile());
    return success();
  }

  static TypedAttr paddingOf(ViewLoadOp op, RankedTensorType type) {
    if (op.getPadding() == Padding::Zero)
      return cast<TypedAttr>(Builder(op.getContext()).getZeroAttr(type));
    auto element = cast<FloatType>(type.getElementType());
    return DenseElementsAttr::get(type, APFloat::getNaN(element.getFloatSemantics()));
  }
};

struct ExpandStore : OpConversionPattern<ViewStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ViewStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Parts view(adaptor.getView());
    AccessBuilder access(rewriter, op.getLoc(), view, op.getStart(), op.getValue().getType());
    Value pointers = access.pointers(), mask = access.mask(op.getChecked());
    rewriter.replaceOpWithNewOp<StoreOp>(op, pointers, op.getValue(), mask, op.getCache(), op.getEvict());
    return success();
  }
};

struct ExpandViewsPass : tegula::impl::ExpandViewsPassBase<ExpandViewsPass> {
  void runOnOperation() override {
    if (!getOperation().walk([](ViewOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return markAllAnalysesPreserved();
    ViewConverter types;
    MLIRContext *context = &getContext();
    ConversionTarget target(*context);
    target.addLegalDialect<arith::ArithDialect, TileDialect>();
    target.addIllegalOp<ViewOp, ViewBaseOp, ViewLoadOp, ViewStoreOp>();
    target.addDynamicallyLegalOp<arith::SelectOp>([&](Operation *op) { return types.isLegal(op); });
    RewritePatternSet patterns(context);
    patterns.add<ExpandView, ExpandBase, ExpandSelect, ExpandLoad, ExpandStore>(types, context);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    ConversionConfig config;
    config.allowPatternRollback = false;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
