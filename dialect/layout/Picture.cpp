#include "dialect/layout/Picture.h"

#include <algorithm>
#include <map>

namespace tegula {

namespace {
/// The first place that holds an element, and whether others do too.
struct Holder {
  int64_t thread = -1, reg = -1;
  bool shared = false;
};
} // namespace

static int64_t valueOf(const std::vector<Coord> &position, Dim dim) {
  for (const Coord &coord : position)
    if (coord.dim == dim)
      return coord.value;
  return 0;
}

static std::string label(const Holder &holder, bool memory) {
  if (holder.thread < 0)
    return "-";
  std::string text = memory ? std::to_string(holder.reg)
                            : "T" + std::to_string(holder.thread) + ":" + std::to_string(holder.reg);
  return holder.shared ? text + "+" : text;
}

std::string picture(const LinearLayout &layout, int32_t maxRows, int32_t maxColumns) {
  constexpr unsigned MaxPictureBits = 24; // a table is for reading: beyond this, time without use
  if (layout.outs().size() > 2)
    return "no picture: more than two axes\n";
  if (layout.totalInBits() > MaxPictureBits)
    return "no picture: more than 2^24 places\n";

  size_t rank = layout.outs().size();
  int32_t rows = rank == 2 ? layout.outs()[0].size() : 1;
  int32_t columns = rank >= 1 ? layout.outs()[rank - 1].size() : 1;
  int32_t shownRows = std::min(rows, maxRows), shownColumns = std::min(columns, maxColumns);
  bool memory = layout.hasIn(Dim::Offset);

  std::map<std::pair<int32_t, int32_t>, Holder> holders;
  for (uint64_t word = 0; word < uint64_t(1) << layout.totalInBits(); ++word) {
    std::vector<Coord> out = layout.unpackOut(layout.applyPacked(word));
    int32_t row = rank == 2 ? out[0].value : 0, column = rank >= 1 ? out[rank - 1].value : 0;
    if (row >= shownRows || column >= shownColumns)
      continue;
    std::vector<Coord> in = layout.unpackIn(word);
    int64_t warp = valueOf(in, Dim::Warp) + valueOf(in, Dim::Block) * layout.inSize(Dim::Warp);
    int64_t thread = valueOf(in, Dim::Lane) + warp * layout.inSize(Dim::Lane);
    int64_t reg = valueOf(in, memory ? Dim::Offset : Dim::Register);
    Holder &holder = holders[{row, column}];
    bool first = holder.thread < 0;
    holder.shared = !first;
    if (first || std::pair(thread, reg) < std::pair(holder.thread, holder.reg)) {
      holder.thread = thread;
      holder.reg = reg;
    }
  }

  std::vector<std::string> cells;
  size_t width = 0;
  for (int32_t row = 0; row < shownRows; ++row)
    for (int32_t column = 0; column < shownColumns; ++column) {
      auto it = holders.find({row, column});
      cells.push_back(label(it == holders.end() ? Holder() : it->second, memory));
      width = std::max(width, cells.back().size());
    }
  std::string text;
  for (int32_t row = 0; row < shownRows; ++row) {
    for (int32_t column = 0; column < shownColumns; ++column) {
      const std::string &cell = cells[size_t(row) * size_t(shownColumns) + size_t(column)];
      bool last = column + 1 == shownColumns;
      text += cell;
      if (!last)
        text.append(width - cell.size() + 1, ' ');
    }
    text += shownColumns < columns ? " ...\n" : "\n";
  }
  return shownRows < rows ? text + "...\n" : text;
}

} // namespace tegula
