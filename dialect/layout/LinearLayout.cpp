#include "dialect/layout/LinearLayout.h"

#include "dialect/layout/F2.h"

#include <bit>
#include <cassert>

namespace tegula {

static uint64_t lowMask(unsigned bits) { return (uint64_t(1) << bits) - 1; }

static unsigned log2Exact(int32_t size) {
  assert(size > 0 && std::has_single_bit(uint32_t(size)) && "expected a power of two");
  return unsigned(std::countr_zero(uint32_t(size)));
}

static unsigned sumBits(std::span<const DimBits> dims) {
  unsigned sum = 0;
  for (const DimBits &dim : dims)
    sum += dim.bits;
  return sum;
}

static const DimBits *find(std::span<const DimBits> dims, Dim dim) {
  for (const DimBits &candidate : dims)
    if (candidate.dim == dim)
      return &candidate;
  return nullptr;
}

static unsigned bitsOf(std::span<const DimBits> dims, Dim dim) {
  const DimBits *found = find(dims, dim);
  return found ? found->bits : 0;
}

/// The number of bits listed before `dim`. Requires that it is listed.
static unsigned offsetOf(std::span<const DimBits> dims, Dim dim) {
  unsigned offset = 0;
  for (const DimBits &candidate : dims) {
    if (candidate.dim == dim)
      return offset;
    offset += candidate.bits;
  }
  assert(false && "expected an axis of the layout");
  return offset;
}

/// A packed position on `from` as one on `to`, which may order and lengthen axes but not lack any.
static uint64_t repack(uint64_t word, std::span<const DimBits> from, std::span<const DimBits> to) {
  uint64_t result = 0;
  for (const DimBits &dim : from) {
    if (dim.bits)
      result |= (word & lowMask(dim.bits)) << offsetOf(to, dim.dim);
    word >>= dim.bits;
  }
  return result;
}

// Making one.

LinearLayout LinearLayout::fromColumns(std::vector<DimBits> ins, std::vector<DimBits> outs,
                                       std::vector<uint64_t> columns) {
  assert(sumBits(ins) == columns.size() && columns.size() <= MaxBits && sumBits(outs) <= MaxBits);
  LinearLayout layout;
  layout.inDims = std::move(ins);
  layout.outDims = std::move(outs);
  layout.columns = std::move(columns);
  return layout;
}

static std::optional<LinearLayout> fail(std::string *error, std::string message) {
  if (error)
    *error = std::move(message);
  return std::nullopt;
}

static std::string quoted(Dim dim) { return "`" + std::string(dimName(dim)) + "`"; }

std::optional<LinearLayout> LinearLayout::tryCreate(std::span<const InputBases> ins,
                                                    std::span<const OutputSize> outs, std::string *error) {
  std::vector<DimBits> outDims;
  size_t outTotal = 0;
  for (const OutputSize &out : outs) {
    if (find(outDims, out.dim))
      return fail(error, "output axis " + quoted(out.dim) + " is listed twice");
    if (out.size <= 0 || !std::has_single_bit(uint32_t(out.size)))
      return fail(error, "expected the size of output axis " + quoted(out.dim) +
                             " to be a power of two, found " + std::to_string(out.size));
    outDims.push_back({out.dim, log2Exact(out.size)});
    outTotal += outDims.back().bits;
  }
  if (outTotal > MaxUserBits)
    return fail(error, "expected at most " + std::to_string(MaxUserBits) + " output bits, found " +
                           std::to_string(outTotal));

  size_t inTotal = 0;
  for (const InputBases &in : ins)
    inTotal += in.bases.size();
  if (inTotal > MaxUserBits)
    return fail(error, "expected at most " + std::to_string(MaxUserBits) + " input bits, found " +
                           std::to_string(inTotal));

  std::vector<DimBits> inDims;
  std::vector<uint64_t> columns;
  for (const InputBases &in : ins) {
    if (find(inDims, in.dim))
      return fail(error, "input axis " + quoted(in.dim) + " is listed twice");
    inDims.push_back({in.dim, unsigned(in.bases.size())});
    for (size_t bit = 0; bit < in.bases.size(); ++bit) {
      const std::vector<int32_t> &basis = in.bases[bit];
      std::string which = "basis " + std::to_string(bit) + " of " + quoted(in.dim);
      if (basis.size() != outs.size())
        return fail(error, "expected " + which + " to have " + std::to_string(outs.size()) +
                               " coordinates, found " + std::to_string(basis.size()));
      uint64_t column = 0;
      for (size_t i = outs.size(); i-- > 0;) {
        if (basis[i] < 0 || basis[i] >= outs[i].size)
          return fail(error, "expected " + which + " to be in [0, " + std::to_string(outs[i].size) +
                                 ") along " + quoted(outs[i].dim) + ", found " + std::to_string(basis[i]));
        column = column << outDims[i].bits | uint64_t(basis[i]);
      }
      columns.push_back(column);
    }
  }
  return fromColumns(std::move(inDims), std::move(outDims), std::move(columns));
}

LinearLayout LinearLayout::identity1D(int32_t size, Dim in, Dim out) { return strided1D(size, 1, in, out); }

LinearLayout LinearLayout::zeros1D(int32_t size, Dim in, Dim out, int32_t outSize) {
  unsigned bits = log2Exact(size);
  return fromColumns({{in, bits}}, {{out, log2Exact(outSize)}}, std::vector<uint64_t>(bits, 0));
}

LinearLayout LinearLayout::strided1D(int32_t size, int32_t stride, Dim in, Dim out) {
  unsigned bits = log2Exact(size), shift = log2Exact(stride);
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < bits; ++bit)
    columns.push_back(uint64_t(1) << (bit + shift));
  return fromColumns({{in, bits}}, {{out, bits + shift}}, std::move(columns));
}

// Properties.

bool LinearLayout::hasIn(Dim dim) const { return find(inDims, dim) != nullptr; }
bool LinearLayout::hasOut(Dim dim) const { return find(outDims, dim) != nullptr; }
unsigned LinearLayout::inBits(Dim dim) const { return bitsOf(inDims, dim); }
unsigned LinearLayout::outBits(Dim dim) const { return bitsOf(outDims, dim); }
unsigned LinearLayout::totalOutBits() const { return sumBits(outDims); }

int32_t LinearLayout::basis(Dim in, unsigned bit, Dim out) const { return unpackOut(column(in, bit), out); }

uint64_t LinearLayout::column(Dim in, unsigned bit) const {
  assert(bit < inBits(in));
  return columns[offsetOf(inDims, in) + bit];
}

size_t LinearLayout::hash() const {
  uint64_t state = 0x9e3779b97f4a7c15; // FNV-like mixing, started from the golden ratio
  auto mix = [&](uint64_t word) { state = (state ^ word) * 0x100000001b3 + (state >> 29); };
  for (const DimBits &in : inDims)
    mix(uint64_t(in.dim) << 8 | in.bits);
  mix(~uint64_t(0));
  for (const DimBits &out : outDims)
    mix(uint64_t(out.dim) << 8 | out.bits);
  for (uint64_t column : columns)
    mix(column);
  return size_t(state);
}

// Applying it.

uint64_t LinearLayout::packIn(std::span<const Coord> position) const {
  uint64_t word = 0;
  for (const Coord &coord : position) {
    assert(coord.value >= 0 && coord.value < inSize(coord.dim));
    word |= uint64_t(coord.value) << offsetOf(inDims, coord.dim);
  }
  return word;
}

static std::vector<Coord> unpack(uint64_t word, std::span<const DimBits> dims) {
  std::vector<Coord> position;
  position.reserve(dims.size());
  for (const DimBits &dim : dims) {
    position.push_back({dim.dim, int32_t(word & lowMask(dim.bits))});
    word >>= dim.bits;
  }
  return position;
}

std::vector<Coord> LinearLayout::unpackIn(uint64_t word) const { return unpack(word, inDims); }
std::vector<Coord> LinearLayout::unpackOut(uint64_t word) const { return unpack(word, outDims); }

int32_t LinearLayout::unpackOut(uint64_t word, Dim dim) const {
  return int32_t(word >> offsetOf(outDims, dim) & lowMask(outBits(dim)));
}

uint64_t LinearLayout::applyPacked(uint64_t position) const {
  assert(position >> columns.size() == 0);
  uint64_t result = 0;
  for (; position; position &= position - 1)
    result ^= columns[size_t(std::countr_zero(position))];
  return result;
}

std::vector<Coord> LinearLayout::apply(std::span<const Coord> position) const {
  return unpackOut(applyPacked(packIn(position)));
}

// Correspondences.

unsigned LinearLayout::rank() const { return rankOf(columns); }

int32_t LinearLayout::freeVariableMask(Dim in) const {
  int32_t mask = 0;
  for (unsigned bit = 0; bit < inBits(in); ++bit)
    if (column(in, bit) == 0)
      mask |= int32_t(1) << bit;
  return mask;
}

// Algebra.

LinearLayout LinearLayout::compose(const LinearLayout &next) const {
  assert(outDims.size() == next.inDims.size());
  std::vector<uint64_t> result;
  result.reserve(columns.size());
  for (uint64_t column : columns)
    result.push_back(next.applyPacked(repack(column, outDims, next.inDims)));
  return fromColumns(inDims, next.outDims, std::move(result));
}

std::optional<LinearLayout> LinearLayout::invert() const {
  return isInvertible() ? pseudoInvert() : std::nullopt;
}

std::optional<LinearLayout> LinearLayout::pseudoInvert() const {
  F2Echelon echelon = echelonByWeight(columns);
  std::vector<uint64_t> result;
  for (unsigned bit = 0, bits = totalOutBits(); bit < bits; ++bit) {
    std::optional<uint64_t> solution = echelon.solve(uint64_t(1) << bit);
    if (!solution)
      return std::nullopt;
    result.push_back(*solution);
  }
  return fromColumns(outDims, inDims, std::move(result));
}

std::optional<LinearLayout> invertAndCompose(const LinearLayout &a, const LinearLayout &b) {
  std::vector<Dim> order;
  for (const DimBits &out : b.outs())
    order.push_back(out.dim);
  LinearLayout source = a.transposeOuts(order);
  assert(source.outs() == b.outs() && "expected the same outputs");

  F2Echelon echelon = echelonByWeight(b.allColumns());
  std::vector<uint64_t> result;
  for (const DimBits &in : source.ins()) {
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint64_t target = source.column(in.dim, bit);
      if (bit < b.inBits(in.dim) && b.column(in.dim, bit) == target) {
        result.push_back(uint64_t(1) << (offsetOf(b.ins(), in.dim) + bit));
        continue;
      }
      std::optional<uint64_t> solution = echelon.solve(target);
      if (!solution)
        return std::nullopt;
      result.push_back(*solution);
    }
  }
  return LinearLayout::fromColumns(a.ins(), b.ins(), std::move(result));
}

/// The axes of a, then those of b that a lacks, with the bits of both added.
static std::vector<DimBits> productDims(std::span<const DimBits> a, std::span<const DimBits> b) {
  std::vector<DimBits> result;
  for (const DimBits &dim : a)
    result.push_back({dim.dim, dim.bits + bitsOf(b, dim.dim)});
  for (const DimBits &dim : b)
    if (!find(a, dim.dim))
      result.push_back(dim);
  return result;
}

/// A packed position on `from`, moved up on each axis by the bits that `below` has there, on `to`.
static uint64_t repackAbove(uint64_t word, std::span<const DimBits> from, std::span<const DimBits> below,
                            std::span<const DimBits> to) {
  uint64_t result = 0;
  for (const DimBits &dim : from) {
    if (dim.bits)
      result |= (word & lowMask(dim.bits)) << (offsetOf(to, dim.dim) + bitsOf(below, dim.dim));
    word >>= dim.bits;
  }
  return result;
}

LinearLayout operator*(const LinearLayout &a, const LinearLayout &b) {
  std::vector<DimBits> ins = productDims(a.ins(), b.ins());
  std::vector<DimBits> outs = productDims(a.outs(), b.outs());
  std::vector<uint64_t> columns;
  columns.reserve(a.totalInBits() + b.totalInBits());
  for (const DimBits &in : ins) {
    for (unsigned bit = 0; bit < a.inBits(in.dim); ++bit)
      columns.push_back(repack(a.column(in.dim, bit), a.outs(), outs));
    for (unsigned bit = 0; bit < b.inBits(in.dim); ++bit)
      columns.push_back(repackAbove(b.column(in.dim, bit), b.outs(), a.outs(), outs));
  }
  return LinearLayout::fromColumns(std::move(ins), std::move(outs), std::move(columns));
}

} // namespace tegula
