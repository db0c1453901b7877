// Marks for the bytes of global memory that a launch touches, in pages made where it does.
//
// A page has a mark for every four bytes, until an access of one or two bytes splits its marks: most kernels
// never pay for single bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

/// Number of pages that may be watched at a time, shared by all that draw on it. Pages touched beyond it are
/// not watched.
struct PageBudget {
  size_t left;
};

template <typename Mark> class WatchedPages {
public:
  static constexpr unsigned pageShift = 10;

  /// `budget` must outlive this.
  explicit WatchedPages(PageBudget &budget) : budget(&budget) {}
  ~WatchedPages() { clear(); }
  WatchedPages(const WatchedPages &) = delete;
  WatchedPages &operator=(const WatchedPages &) = delete;

  /// The marks of some bytes: `first` is that of the first, null where they are not watched, and each stands
  /// for `step` bytes.
  struct Range {
    Mark *first;
    uint32_t step;
  };
  /// Accesses are aligned to their size, so they lie in one page.
  Range find(uint64_t address, uint32_t count) {
    Page *page = pageOf(address >> pageShift);
    if (!page)
      return {nullptr, 0};
    const unsigned wanted = (address | count) & 1 ? 0 : (address | count) & 2 ? 1 : 2;
    if (wanted < page->shift)
      refine(*page, wanted);
    return {&page->marks[(address & (pageBytes - 1)) >> page->shift], 1u << page->shift};
  }

  /// Forgets all marks and gives the pages back.
  void clear() {
    budget->left += pages.size();
    pages.clear();
    recent.fill({});
  }
  size_t size() const { return pages.size(); }

private:
  static constexpr uint64_t pageBytes = uint64_t(1) << pageShift;
  struct Page {
    unsigned shift = 2; ///< a mark stands for 1 << shift bytes
    std::vector<Mark> marks{pageBytes >> 2};
  };

  Page *pageOf(uint64_t number) {
    auto &[known, page] = recent[number % recent.size()];
    if (known == number && page)
      return page;
    auto found = pages.find(number);
    if (found == pages.end()) {
      if (budget->left == 0)
        return nullptr;
      --budget->left;
      found = pages.emplace(number, std::make_unique<Page>()).first;
    }
    known = number;
    return page = found->second.get();
  }
  static void refine(Page &page, unsigned shift) {
    const uint32_t parts = 1u << (page.shift - shift);
    std::vector<Mark> finer;
    finer.reserve(page.marks.size() * parts);
    for (const Mark &mark : page.marks)
      finer.insert(finer.end(), parts, mark);
    page.marks = std::move(finer);
    page.shift = shift;
  }

  PageBudget *budget;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  /// The pages found last, by the low bits of their number.
  std::array<std::pair<uint64_t, Page *>, 8> recent{};
};

} // namespace tegula::runtime::ptx
