#include "tools/insight/findings/Advice.h"

#include <fmt/format.h>

namespace tegula::explain {

std::string changeOf(const Remark &remark, const std::map<std::string, int64_t> &numbers) {
  const auto &[parameter, wanted, otherwise] = remark.wish;
  const auto passed = numbers.find(parameter);
  if (wanted < 1 || passed == numbers.end())
    return remark.isNothingToDo && remark.fix.empty() ? "nothing to do" : remark.fix;
  const int64_t value = passed->second;
  const std::string rest = otherwise.empty() ? "" : "; else " + otherwise;
  if (wanted == 1) {
    if (value != 1)
      return otherwise;
    // A launch compiles for 1 by itself, unless it is told not to.
    return fmt::format("take `{}`, which is 1, out of `do_not_specialize`{}", parameter, rest);
  }
  if (value % wanted)
    return fmt::format("let `{}` be a multiple of {}, which {} is not: pad what it counts{}", parameter,
                       wanted, value, rest);
  return fmt::format(
      "state by `tl.multiple_of({0}, {1})` that `{0}` is a multiple of {1}, as {2} is: a launch "
      "does not look for that by itself{3}",
      parameter, wanted, value, rest);
}

std::string causeOf(const Remark &remark, const std::string &text,
                    const std::map<std::string, int64_t> &numbers) {
  const RemarkWish &wish = remark.wish;
  const auto passed = numbers.find(wish.parameter);
  const bool isOfParameter = text.starts_with(fmt::format("`{}` is not known to be ", wish.parameter));
  if (!isOfParameter || wish.wanted < 1 || passed == numbers.end())
    return text;
  const int64_t value = passed->second;
  if (wish.wanted == 1)
    return value == 1 ? text : fmt::format("neighbours are `{}`, which is {}, apart", wish.parameter, value);
  return value % wish.wanted
             ? fmt::format("`{}` is {}, no multiple of {}", wish.parameter, value, wish.wanted)
             : text;
}

} // namespace tegula::explain
