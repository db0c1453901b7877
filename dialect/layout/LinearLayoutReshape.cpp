// The operations of LinearLayout that read the same map otherwise: axes reordered, regrouped, renamed,
// dropped, resized; and its text.
#include "dialect/layout/LinearLayout.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tegula {

static std::vector<Dim> namesOf(std::span<const DimBits> dims) {
  std::vector<Dim> names;
  for (const DimBits &dim : dims)
    names.push_back(dim.dim);
  return names;
}

LinearLayout LinearLayout::transposeIns(std::span<const Dim> order) const {
  assert(order.size() == inDims.size());
  return sublayout(order, namesOf(outDims));
}

LinearLayout LinearLayout::transposeOuts(std::span<const Dim> order) const {
  assert(order.size() == outDims.size());
  return sublayout(namesOf(inDims), order);
}

LinearLayout LinearLayout::reshapeIns(std::vector<DimBits> newIns) const {
  return fromColumns(std::move(newIns), outDims, columns);
}

LinearLayout LinearLayout::reshapeOuts(std::vector<DimBits> newOuts) const {
  LinearLayout result = fromColumns(inDims, std::move(newOuts), columns);
  assert(result.totalOutBits() == totalOutBits() && "expected the same number of bits");
  return result;
}

static std::vector<DimBits> renamed(std::vector<DimBits> dims, Dim from, Dim to) {
  for (DimBits &dim : dims) {
    assert((dim.dim != to || from == to) && "expected a name that is not in use");
    if (dim.dim == from)
      dim.dim = to;
  }
  return dims;
}

LinearLayout LinearLayout::renameOut(Dim from, Dim to) const {
  assert(hasOut(from));
  return fromColumns(inDims, renamed(outDims, from, to), columns);
}

LinearLayout LinearLayout::sublayout(std::span<const Dim> keptIns, std::span<const Dim> keptOuts) const {
  std::vector<DimBits> newIns, newOuts;
  for (Dim dim : keptIns) {
    assert(hasIn(dim));
    newIns.push_back({dim, inBits(dim)});
  }
  for (Dim dim : keptOuts) {
    assert(hasOut(dim));
    newOuts.push_back({dim, outBits(dim)});
  }
  std::vector<uint64_t> result;
  for (const DimBits &in : newIns) {
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint64_t source = column(in.dim, bit), word = 0;
      unsigned shift = 0;
      for (const DimBits &out : newOuts) {
        word |= uint64_t(unpackOut(source, out.dim)) << shift;
        shift += out.bits;
      }
      result.push_back(word);
    }
  }
  return fromColumns(std::move(newIns), std::move(newOuts), std::move(result));
}

LinearLayout LinearLayout::removeZeroBases(Dim dim) const {
  std::vector<DimBits> newIns = inDims;
  std::vector<uint64_t> result;
  size_t index = 0;
  for (DimBits &in : newIns) {
    size_t before = result.size();
    for (unsigned bit = 0; bit < in.bits; ++bit, ++index)
      if (in.dim != dim || columns[index] != 0)
        result.push_back(columns[index]);
    in.bits = unsigned(result.size() - before);
  }
  return fromColumns(std::move(newIns), outDims, std::move(result));
}

LinearLayout LinearLayout::resizeIn(Dim dim, int32_t size) const {
  assert(size > 0 && std::has_single_bit(uint32_t(size)));
  std::vector<DimBits> newIns = inDims;
  if (!hasIn(dim))
    newIns.push_back({dim, 0});
  unsigned bits = unsigned(std::countr_zero(uint32_t(size)));
  std::vector<uint64_t> result;
  for (DimBits &in : newIns) {
    unsigned wanted = in.dim == dim ? bits : in.bits;
    for (unsigned bit = 0; bit < wanted; ++bit)
      result.push_back(bit < in.bits ? column(in.dim, bit) : 0);
    in.bits = wanted;
  }
  return fromColumns(std::move(newIns), outDims, std::move(result));
}

LinearLayout LinearLayout::resizeOut(Dim dim, int32_t size) const {
  assert(size > 0 && std::has_single_bit(uint32_t(size)));
  std::vector<DimBits> newOuts = outDims;
  if (!hasOut(dim))
    newOuts.push_back({dim, 0});
  for (DimBits &out : newOuts)
    if (out.dim == dim)
      out.bits = unsigned(std::countr_zero(uint32_t(size)));
  std::vector<uint64_t> result;
  for (uint64_t source : columns) {
    uint64_t word = 0;
    unsigned shift = 0;
    for (const DimBits &out : newOuts) {
      uint64_t coordinate = hasOut(out.dim) ? uint64_t(unpackOut(source, out.dim)) : 0;
      word |= (coordinate & ((uint64_t(1) << out.bits) - 1)) << shift;
      shift += out.bits;
    }
    result.push_back(word);
  }
  return fromColumns(inDims, std::move(newOuts), std::move(result));
}

std::optional<LinearLayout> LinearLayout::quotient(std::span<const Dim> dims) const {
  auto isDivided = [&](Dim dim) { return std::find(dims.begin(), dims.end(), dim) != dims.end(); };
  for (Dim dim : dims)
    if (!hasIn(dim) || !hasOut(dim) || inBits(dim) != outBits(dim))
      return std::nullopt;
  for (const DimBits &in : inDims)
    for (unsigned bit = 0; bit < in.bits; ++bit)
      for (const DimBits &out : outDims) {
        if (!isDivided(in.dim) && !isDivided(out.dim))
          continue;
        int32_t expected = in.dim == out.dim ? int32_t(1) << bit : 0;
        if (basis(in.dim, bit, out.dim) != expected)
          return std::nullopt;
      }
  std::vector<Dim> keptIns = namesOf(inDims), keptOuts = namesOf(outDims);
  std::erase_if(keptIns, isDivided);
  std::erase_if(keptOuts, isDivided);
  return sublayout(keptIns, keptOuts);
}

/// True when the outputs are dim0, dim1, ... so that sizes alone say everything.
static bool isPlainTensor(std::span<const DimBits> outs) {
  for (size_t i = 0; i < outs.size(); ++i)
    if (i >= MaxTensorRank || outs[i].dim != tensorDim(unsigned(i)))
      return false;
  return true;
}

std::string LinearLayout::toString() const {
  std::string text = "{";
  for (const DimBits &in : inDims) {
    if (text.size() > 1)
      text += ", ";
    text.append(dimName(in.dim)).append(" = [");
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      text += bit ? ", [" : "[";
      for (size_t i = 0; i < outDims.size(); ++i)
        text += (i ? ", " : "") + std::to_string(basis(in.dim, bit, outDims[i].dim));
      text += "]";
    }
    text += "]";
  }
  text += "} : [";
  bool plain = isPlainTensor(outDims);
  for (size_t i = 0; i < outDims.size(); ++i) {
    text += i ? ", " : "";
    if (!plain)
      text.append(dimName(outDims[i].dim)).append(" = ");
    text += std::to_string(outDims[i].size());
  }
  return text + "]";
}

} // namespace tegula
