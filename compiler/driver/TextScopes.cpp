#include "compiler/driver/TextScopes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tegula {

namespace {

constexpr llvm::StringLiteral nameCharacters =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$.-";
bool isNameCharacter(char c) { return nameCharacters.contains(c); }

/// Reads a text from left to right.
class Scan {
public:
  explicit Scan(llvm::StringRef text) : text(text) {}

  std::optional<size_t> run() {
    while (at < text.size()) {
      const char c = text[at];
      if (c == '"')
        skipString();
      else if (text.substr(at).starts_with("//"))
        at = std::min(text.find('\n', at), text.size());
      else if (c == '%')
        meetName();
      else {
        if (c == '{')
          open.push_back(++regions);
        else if (c == '}' && open.size() > 1)
          open.pop_back();
        else if (c == '(')
          lists.push_back(followsLabel());
        else if (c == ')' && !lists.empty())
          lists.pop_back();
        ++at;
      }
      if (outside)
        return outside;
    }
    return std::nullopt;
  }

private:
  using Region = llvm::SmallVector<unsigned, 8>; ///< the braces that are open, outermost first
  struct Use {
    size_t at;
    Region region;
  };

  void skipString() {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      at += text[at] == '\\';
    at = std::min(at + 1, text.size());
  }

  /// Returns true if the `(` here opens the arguments of a block, `^bb0(`, or of a function, `@name(`.
  bool followsLabel() const {
    const llvm::StringRef head = text.take_front(at).rtrim();
    const llvm::StringRef name = head.take_back(head.size() - (head.find_last_not_of(nameCharacters) + 1));
    return head.drop_back(name.size()).ends_with("^") || head.drop_back(name.size()).ends_with("@");
  }

  llvm::StringRef nameFrom(size_t from) const {
    size_t end = from + 1;
    while (end < text.size() && isNameCharacter(text[end]))
      ++end;
    return text.slice(from, end);
  }

  /// Returns true if the name that ends at `end` is defined there: `=` follows, or more names and then `=`,
  /// or the `:` of an argument.
  bool isDefinition(size_t end) const {
    llvm::StringRef rest = text.substr(end).ltrim();
    if (!lists.empty() && lists.back() && rest.starts_with(":"))
      return true;
    while (true) {
      if (rest.consume_front(":"))
        rest = rest.ltrim().drop_while(llvm::isDigit).ltrim();
      if (rest.starts_with("="))
        return !rest.starts_with("==");
      if (!rest.consume_front(","))
        return false;
      rest = rest.ltrim();
      if (!rest.consume_front("%"))
        return false;
      rest = rest.drop_while(isNameCharacter).ltrim();
    }
  }

  /// Returns true if ops in `region` see values defined in `of`.
  static bool isWithin(const Region &region, const Region &of) {
    return region.size() >= of.size() && std::equal(of.begin(), of.end(), region.begin());
  }

  void meetName() {
    const llvm::StringRef name = nameFrom(at);
    if (isDefinition(at + name.size())) {
      for (const Use &use : pending[name])
        if (!isWithin(use.region, open) && (!outside || use.at < *outside))
          outside = use.at;
      pending[name].clear();
      defined[name].push_back(open);
    } else if (llvm::none_of(defined[name], [&](const Region &where) { return isWithin(open, where); })) {
      pending[name].push_back({at, open});
    }
    at += name.size();
  }

  llvm::StringRef text;
  size_t at = 0;
  llvm::SmallVector<bool, 8> lists; ///< of each `(` that is open: it holds arguments
  unsigned regions = 0;
  Region open = {0};
  llvm::StringMap<llvm::SmallVector<Region, 1>> defined;
  llvm::StringMap<llvm::SmallVector<Use, 1>> pending; ///< uses without a definition so far
  std::optional<size_t> outside;
};

} // namespace

std::optional<size_t> findUseOutsideRegion(llvm::StringRef text) { return Scan(text).run(); }

} // namespace tegula
