// A failing kernel made small: statements that are not needed for the failure go, others become simpler.
#include "test/random/Differential.h"

#include <algorithm>
#include <cctype>

namespace tegula::random {

namespace {

/// A failure without its numbers, so that lines and names may change while it is made smaller. Which element
/// of an output differs is not part of it.
std::string signature(const Difference &difference) {
  std::string text(1, char('0' + difference.kind));
  if (difference.kind != Difference::Result)
    for (char c : difference.text.substr(0, difference.text.find('\n')))
      if (std::isalpha(static_cast<unsigned char>(c)) && !std::isxdigit(static_cast<unsigned char>(c)))
        text += c;
  return text;
}

class Reducer {
public:
  Reducer(const Comparer &comparer, RandomKernel &kernel, const Difference &failure, int attempts)
      : comparer(comparer), kernel(kernel), wanted(signature(failure)), attempts(attempts) {}

  void run() {
    while (attempts > 0 && visit(kernel.body))
      ;
    dropArguments();
  }

private:
  bool stillFails() {
    if (--attempts < 0)
      return false;
    const std::optional<Difference> difference = comparer(kernel);
    return difference && signature(*difference) == wanted;
  }

  /// True when something became smaller. Later statements go first: nothing leans on them.
  bool visit(std::vector<Node> &nodes) {
    bool changed = false;
    for (size_t i = nodes.size(); i-- > 0;) {
      const Node node = nodes[i];
      nodes.erase(nodes.begin() + long(i));
      if (stillFails()) {
        changed = true;
        continue;
      }
      nodes.insert(nodes.begin() + long(i), node);
      if (!node.simpler.empty() && node.text != node.simpler) {
        nodes[i].text = node.simpler;
        if (stillFails()) {
          changed = true;
          continue;
        }
        nodes[i] = node;
      }
      if (!node.body.empty())
        changed |= visit(nodes[i].body);
    }
    return changed;
  }

  /// Parameters that no line names any more.
  void dropArguments() {
    for (size_t i = kernel.arguments.size(); i-- > 0;) {
      const Argument argument = kernel.arguments[i];
      if (std::ranges::any_of(kernel.arguments,
                              [&](const Argument &other) { return other.aliasOf == argument.name; }))
        continue;
      kernel.arguments.erase(kernel.arguments.begin() + long(i));
      if (!stillFails())
        kernel.arguments.insert(kernel.arguments.begin() + long(i), argument);
    }
  }

  const Comparer &comparer;
  RandomKernel &kernel;
  std::string wanted;
  int attempts;
};

} // namespace

RandomKernel reduceKernel(const Comparer &comparer, RandomKernel kernel, const Difference &failure,
                          int attempts) {
  Reducer(comparer, kernel, failure, attempts).run();
  return kernel;
}

} // namespace tegula::random
