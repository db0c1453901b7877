// `#tile.layout`: text, canonical form, and what makes it a tensor's encoding.
#include "dialect/tile/Tile.h"

#include "mlir/IR/OpImplementation.h"

#include <array>

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

/// The inputs of a map of threads, in their one order.
constexpr std::array<Dim, 4> ThreadDims = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};

bool isThreadDim(Dim dim) { return llvm::is_contained(ThreadDims, dim); }

bool isThreadMap(const LinearLayout &layout) {
  return llvm::all_of(layout.ins(), [](const DimBits &in) { return isThreadDim(in.dim); });
}

/// dim0 ... of a tensor of `rank` sides.
llvm::SmallVector<Dim> tensorDims(unsigned rank) {
  llvm::SmallVector<Dim> dims;
  for (unsigned i = 0; i < rank; ++i)
    dims.push_back(tensorDim(i));
  return dims;
}

ParseResult parseInts(AsmParser &parser, std::vector<int32_t> &out) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(out.emplace_back()); });
}

/// `register = [[1], [2]]`
ParseResult parseInput(AsmParser &parser, std::vector<InputBases> &ins) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Dim> dim = parseDim(std::string_view(name.data(), name.size()));
  if (!dim || isTensorDim(*dim))
    return parser.emitError(loc) << "expected `register`, `lane`, `warp`, `block` or `offset`, found `"
                                 << name << "`";
  InputBases &in = ins.emplace_back(InputBases{*dim, {}});
  return failure(parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseInts(parser, in.bases.emplace_back());
  }));
}

/// `64`, an axis of the tensor by its place, or `offset = 64`
ParseResult parseOutput(AsmParser &parser, std::vector<OutputSize> &outs) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  std::optional<Dim> dim;
  StringRef name;
  if (succeeded(parser.parseOptionalKeyword(&name))) {
    dim = parseDim(std::string_view(name.data(), name.size()));
    if (!dim)
      return parser.emitError(loc) << "expected the name of an axis, found `" << name << "`";
    if (parser.parseEqual())
      return failure();
  } else if (outs.size() < MaxTensorRank) {
    dim = tensorDim(unsigned(outs.size()));
  } else {
    return parser.emitError(loc) << "expected at most " << MaxTensorRank << " axes";
  }
  int32_t size = 0;
  if (parser.parseInteger(size))
    return failure();
  outs.push_back({*dim, size});
  return success();
}

} // namespace

LinearLayout tile::canonicalLayout(LinearLayout layout) {
  if (isThreadMap(layout)) {
    for (Dim dim : ThreadDims)
      if (!layout.hasIn(dim))
        layout = layout.resizeIn(dim, 1);
    layout = layout.transposeIns(ThreadDims);
  }
  llvm::SmallVector<Dim> dims = tensorDims(std::min<unsigned>(unsigned(layout.outs().size()), MaxTensorRank));
  if (llvm::all_of(layout.outs(), [&](const DimBits &out) { return llvm::is_contained(dims, out.dim); }))
    layout = layout.transposeOuts(dims);
  return layout;
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  std::vector<InputBases> ins;
  std::vector<OutputSize> outs;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] { return parseInput(parser, ins); }) ||
      parser.parseColon() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseOutput(parser, outs); }) ||
      parser.parseGreater())
    return {};
  std::string error;
  std::optional<LinearLayout> layout = LinearLayout::tryCreate(ins, outs, &error);
  if (!layout) {
    parser.emitError(loc) << error;
    return {};
  }
  return LayoutAttr::get(parser.getContext(), std::move(*layout));
}

void LayoutAttr::print(AsmPrinter &printer) const {
  const LinearLayout &layout = getLayout();
  if (!isThreadMap(layout)) {
    printer << '<' << layout.toString() << '>';
    return;
  }
  // The reader puts absent axes back, so those without bits need not be shown.
  llvm::SmallVector<Dim> ins, outs;
  for (const DimBits &in : layout.ins())
    if (in.bits != 0)
      ins.push_back(in.dim);
  for (const DimBits &out : layout.outs())
    outs.push_back(out.dim);
  printer << '<' << layout.sublayout(ins, outs).toString() << '>';
}

OpAsmAliasResult LayoutAttr::getAlias(llvm::raw_ostream &os) const {
  os << "layout";
  return OpAsmAliasResult::OverridableAlias;
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         llvm::function_ref<InFlightDiagnostic()> emitError) const {
  const LinearLayout &layout = getLayout();
  // (layout_c1)
  bool shapesAgree = layout.outs().size() == shape.size();
  for (size_t i = 0; shapesAgree && i < shape.size(); ++i) {
    const DimBits &out = layout.outs()[i];
    shapesAgree = isTensorDim(out.dim) && tensorDimIndex(out.dim) == i && int64_t(out.size()) == shape[i];
  }
  if (!shapesAgree)
    return emitError() << "expected a layout of the tensor's shape [" << shape << "], found `" << *this
                       << "`";
  // (layout_c2)
  if (!isThreadMap(layout))
    return emitError() << "expected a tensor's layout to map `register`, `lane`, `warp` and `block`, found `"
                       << *this << "`";
  // (layout_c3)
  if (layout.inBits(Dim::Lane) != LaneBits)
    return emitError() << "expected " << LaneBits << " bases for `lane`, found " << layout.inBits(Dim::Lane);
  // (layout_c4)
  if (!layout.isSurjective())
    return emitError() << "expected a layout that reaches every element, found 2^" << layout.rank()
                       << " of 2^" << layout.totalOutBits() << " reached";
  return success();
}
