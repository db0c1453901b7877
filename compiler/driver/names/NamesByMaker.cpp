#include "compiler/driver/names/NamesByMaker.h"

namespace tegula {

NamesByMaker::NamesByMaker(const std::vector<KernelName> &bound) {
  for (const KernelName &name : bound)
    if (const NamePlace &made = name.made; !name.isKept && made.line)
      names[{made.file, made.line, made.column, made.endLine, made.endColumn}].push_back(&name);
}

const std::vector<const KernelName *> &NamesByMaker::at(const insight::Insight &known,
                                                        insight::Index place) const {
  static const std::vector<const KernelName *> none;
  if (place == insight::None)
    return none;
  const insight::Place &range = known.places[size_t(place)];
  const auto found =
      names.find({known.files[size_t(range.file)], range.line, range.column, range.endLine, range.endColumn});
  return found == names.end() ? none : found->second;
}

} // namespace tegula
