#include "dialect/layout/MatrixAccess.h"
#include "dialect/layout/F2.h"
#include "dialect/layout/Places.h"

#include <algorithm>
#include <bit>

namespace tegula {
namespace {

/// The bits that number the matrices of an instruction: at most four.
constexpr size_t MaxMatrixBits = 2;

std::vector<uint64_t> registerColumns(const LinearLayout &layout) {
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    columns.push_back(layout.column(Dim::Register, bit));
  return columns;
}

/// Register bits whose position no earlier bits have.
std::vector<unsigned> ownBits(const std::vector<uint64_t> &registers) {
  F2Echelon seen;
  std::vector<unsigned> bits;
  for (unsigned bit = 0; bit < registers.size(); ++bit)
    if (seen.insert(registers[bit], bit))
      bits.push_back(bit);
  return bits;
}

/// log2 of the elements of a row, or nothing where `elementBytes` has no such form.
std::optional<unsigned> rowBitsOf(unsigned elementBytes, bool transposed) {
  if (transposed ? elementBytes != 2 : elementBytes > 4)
    return std::nullopt;
  return unsigned(std::bit_width(MatrixRowBytes / elementBytes) - 1);
}

MatrixAccess accessWith(const LinearLayout &layout, std::vector<unsigned> wordBits, bool transposed) {
  std::vector<uint64_t> registers = registerColumns(layout), lanes = threadColumns(layout, LaneBits);
  MatrixAccess access;
  access.transposed = transposed;
  std::vector<uint64_t> word;
  for (unsigned bit : wordBits)
    word.push_back(registers[bit]);
  std::vector<uint64_t> withWord(word), others(lanes.begin() + 2, lanes.end());
  withWord.insert(withWord.end(), {lanes[0], lanes[1]});
  access.row = transposed ? others : withWord;
  access.lanes = transposed ? withWord : others;
  for (unsigned bit : ownBits(registers))
    if (access.matrixBits.size() < MaxMatrixBits &&
        std::find(wordBits.begin(), wordBits.end(), bit) == wordBits.end())
      access.matrixBits.push_back(bit);
  for (size_t i = 0; i < MaxMatrixBits; ++i)
    access.lanes.push_back(i < access.matrixBits.size() ? registers[access.matrixBits[i]] : 0);
  access.wordBits = std::move(wordBits);
  return access;
}

/// The bits of a word that `transposed` and the number of elements in a word ask for.
size_t wordBitCount(unsigned elementBytes) { return size_t(std::bit_width(4 / elementBytes) - 1); }

/// True where rows are contiguous and everything else moves whole rows.
bool isAligned(const MatrixAccess &access, const LinearLayout &offsets, unsigned rowBits) {
  for (unsigned i = 0; i < rowBits; ++i)
    if (access.row[i] != uint64_t(1) << i)
      return false;
  uint64_t inside = (uint64_t(1) << rowBits) - 1;
  unsigned threadBits = LaneBits + offsets.inBits(Dim::Warp);
  std::vector<uint64_t> registers = registerColumns(offsets), threads = threadColumns(offsets, threadBits);
  // Columns that are not in a row, each counted with its bits inside one, of which the row itself has
  // rowBits.
  auto movesInside = [&](uint64_t column) { return (column & inside) != 0; };
  auto count = std::count_if(registers.begin(), registers.end(), movesInside) +
               std::count_if(threads.begin(), threads.end(), movesInside);
  return size_t(count) == rowBits;
}

} // namespace

std::optional<MatrixAccess> asMatrices(const LinearLayout &layout, unsigned elementBytes, bool transposed) {
  std::optional<unsigned> rowBits = rowBitsOf(elementBytes, transposed);
  if (!rowBits)
    return std::nullopt;
  std::vector<unsigned> own = ownBits(registerColumns(layout));
  if (own.size() < wordBitCount(elementBytes))
    return std::nullopt;
  own.resize(wordBitCount(elementBytes));
  MatrixAccess access = accessWith(layout, own, transposed);
  if (rankOf(access.row) < *rowBits)
    return std::nullopt;
  return access;
}

std::optional<MatrixAccess> matricesAt(const LinearLayout &offsets, unsigned elementBytes) {
  for (bool transposed : {false, true}) {
    std::optional<unsigned> rowBits = rowBitsOf(elementBytes, transposed);
    if (!rowBits)
      continue;
    std::vector<uint64_t> registers = registerColumns(offsets);
    std::vector<unsigned> own = ownBits(registers), word;
    for (size_t i = 0; i < wordBitCount(elementBytes); ++i) {
      // Transposed, the word may be any pair of rows: the first, as an instruction on the word expects it.
      auto found = std::find_if(own.begin(), own.end(), [&](unsigned bit) {
        return transposed || registers[bit] == uint64_t(1) << i;
      });
      if (found != own.end())
        word.push_back(*found);
    }
    if (word.size() < wordBitCount(elementBytes))
      continue;
    MatrixAccess access = accessWith(offsets, word, transposed);
    if (isAligned(access, offsets, *rowBits))
      return access;
  }
  return std::nullopt;
}

} // namespace tegula
