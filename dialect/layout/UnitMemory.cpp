#include "dialect/layout/UnitMemory.h"
#include "dialect/layout/TmaLimits.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tegula {
namespace {

constexpr unsigned ChunkBytes = 16, SpansOfAtom = 8, LeastSpan = 32, WidestSpan = 128;

/// The bits of an address that flip those of the chunk, counted from bit 4, are three above them.
constexpr unsigned FlippedFrom = 3;

unsigned log2Of(uint32_t size) { return unsigned(std::bit_width(size) - 1); }

/// Both axes of an operand: the contiguous one and the other.
struct Axes {
  unsigned contiguous, other;
};

Axes axesOf(unsigned kAxis, bool kContiguous) {
  unsigned width = 1 - kAxis;
  return kContiguous ? Axes{kAxis, width} : Axes{width, kAxis};
}

} // namespace

std::optional<UnitForm> unitForm(std::span<const int32_t> shape, unsigned kAxis, unsigned elementBytes,
                                 bool kContiguous, unsigned widest) {
  if (shape.size() != 2 || kAxis > 1 || elementBytes > 4 || (!kContiguous && elementBytes != 2))
    return std::nullopt;
  Axes axes = axesOf(kAxis, kContiguous);
  unsigned bytes = std::min({unsigned(shape[axes.contiguous]) * elementBytes, widest, WidestSpan});
  if (bytes < LeastSpan || unsigned(shape[axes.other]) < SpansOfAtom)
    return std::nullopt;
  return UnitForm{kContiguous, bytes};
}

LinearLayout unitMemory(std::span<const int32_t> shape, unsigned kAxis, unsigned elementBytes,
                        const UnitForm &form) {
  Axes axes = axesOf(kAxis, form.kContiguous);
  unsigned spanBits = log2Of(form.span / elementBytes), chunkBits = log2Of(form.span / ChunkBytes),
           lowBits = log2Of(ChunkBytes / elementBytes);
  std::vector<DimBits> outs{{Dim::Dim0, log2Of(uint32_t(shape[0]))}, {Dim::Dim1, log2Of(uint32_t(shape[1]))}};
  auto position = [&](unsigned axis, unsigned bit) {
    return uint64_t(1) << (bit + (axis == 0 ? 0 : outs[0].bits));
  };
  unsigned contiguousBits = outs[axes.contiguous].bits, otherBits = outs[axes.other].bits;
  assert(spanBits <= contiguousBits && log2Of(SpansOfAtom) <= otherBits && "a form that does not fit");
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < spanBits; ++bit)
    columns.push_back(position(axes.contiguous, bit));
  for (unsigned bit = 0; bit < otherBits; ++bit)
    columns.push_back(position(axes.other, bit));
  for (unsigned bit = spanBits; bit < contiguousBits; ++bit)
    columns.push_back(position(axes.contiguous, bit));
  // The element at an offset is the one whose chunk, flipped, is the offset's.
  for (unsigned bit = 0; bit < chunkBits; ++bit)
    columns[lowBits + bit + FlippedFrom] ^= position(axes.contiguous, lowBits + bit);
  return LinearLayout::fromColumns({{Dim::Offset, unsigned(columns.size())}}, outs, columns);
}

uint64_t UnitOperand::descriptor() const {
  // PTX, "matrix descriptor": both distances in units of 16 bytes, then the mode.
  uint64_t mode = form.span == 128 ? 1 : form.span == 64 ? 2 : 3;
  return uint64_t(leading / ChunkBytes) << 16 | uint64_t(stride / ChunkBytes) << 32 | mode << 62;
}

std::optional<UnitOperand> asUnitOperand(const LinearLayout &memory, unsigned kAxis, unsigned elementBytes) {
  if (memory.outs().size() != 2 || !memory.hasOut(Dim::Dim0) || !memory.hasOut(Dim::Dim1))
    return std::nullopt;
  const int32_t shape[] = {memory.outSize(Dim::Dim0), memory.outSize(Dim::Dim1)};
  for (bool kContiguous : {true, false})
    for (unsigned widest = WidestSpan; widest >= LeastSpan; widest /= 2) {
      std::optional<UnitForm> form = unitForm(shape, kAxis, elementBytes, kContiguous, widest);
      if (!form || unitMemory(shape, kAxis, elementBytes, *form) != memory)
        continue;
      Axes axes = axesOf(kAxis, kContiguous);
      UnitOperand operand{*form};
      operand.stride = SpansOfAtom * form->span;
      // Swizzled K-major operands have no leading distance; the manual asks for a one there.
      operand.leading = kContiguous ? ChunkBytes : uint32_t(shape[axes.other]) * form->span;
      return operand;
    }
  return std::nullopt;
}

std::optional<TmaBoxes> asTmaBoxes(const LinearLayout &memory, unsigned elementBytes, unsigned parts) {
  // Memory of one contiguous axis is the same whichever axis K is.
  for (unsigned contiguous : {0u, 1u}) {
    std::optional<UnitOperand> operand = asUnitOperand(memory, contiguous, elementBytes);
    if (!operand || !operand->form.kContiguous)
      continue;
    const int32_t shape[] = {memory.outSize(Dim::Dim0), memory.outSize(Dim::Dim1)};
    TmaBoxes boxes{contiguous,
                   operand->form.span,
                   int32_t(operand->form.span / elementBytes),
                   std::min(shape[1 - contiguous], int32_t(tma::MaxBoxSide)),
                   {}};
    // Parts that do not separate spans from each other separate their rows.
    const int32_t spans = shape[contiguous] / boxes.inner, ofSpan = std::max(int32_t(parts) / spans, 1);
    boxes.outer = std::min(boxes.outer, shape[1 - contiguous] / ofSpan);
    if (boxes.outer < int32_t(SpansOfAtom))
      return std::nullopt;
    for (int32_t at = 0; at < shape[contiguous]; at += boxes.inner)
      for (int32_t row = 0; row < shape[1 - contiguous]; row += boxes.outer)
        boxes.places.emplace_back(at, row);
    return boxes;
  }
  return std::nullopt;
}

bool isPartedByWarps(const LinearLayout &registers, const LinearLayout &memory, unsigned parts) {
  const std::optional<LinearLayout> inverse = memory.invert();
  const unsigned partBits = log2Of(parts), warpBits = registers.inBits(Dim::Warp);
  if (!inverse || memory.totalInBits() < partBits || warpBits < partBits)
    return false;
  const LinearLayout places = registers.compose(*inverse);
  const unsigned ofPart = memory.totalInBits() - partBits;
  for (const DimBits &in : places.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      const bool isOfPart = in.dim == Dim::Warp && bit >= warpBits - partBits;
      const uint64_t part = isOfPart ? uint64_t(1) << (bit - (warpBits - partBits)) : 0;
      if (places.column(in.dim, bit) >> ofPart != part)
        return false;
    }
  return true;
}

} // namespace tegula
