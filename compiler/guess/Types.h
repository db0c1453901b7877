// Types of the parameters that launches pass, from what was seen of them and their names.
#pragma once

#include "compiler/driver/Compiler.h"
#include "compiler/guess/Choice.h"
#include "compiler/guess/Evidence.h"
#include "compiler/guess/Launches.h"

#include <set>

namespace tegula::guess {

class Types {
public:
  Types(const KernelInfo &kernel, const Seen &seen, const std::map<std::string, Passed> &passed);

  /// A type for the parameter of this number.
  Guess guess(unsigned parameter) const;
  bool hasDescriptors() const {
    return llvm::any_of(seen.parameters, [](const Evidence &one) { return one.isDescriptor; });
  }
  /// The kind of floats that arrays hold of which nothing else is known: matrix units take fp16.
  ScalarKind defaultFloat() const { return seen.hasDot ? ScalarKind::Float16 : ScalarKind::Float32; }

private:
  void findPointers();
  /// Takes one of `summands` for the pointer of an address.
  void addPointer(const Summands &summands);
  Guess pointer(unsigned parameter) const;
  Guess descriptor(unsigned parameter) const;
  Guess tuple(unsigned parameter) const;
  Guess number(unsigned parameter) const;
  /// The kinds of values behind a pointer, the likeliest first.
  std::vector<ScalarKind> elements(unsigned parameter, bool &isOpenFloat) const;

  const KernelInfo &kernel;
  const Seen &seen;
  const std::map<std::string, Passed> &passed;
  std::set<unsigned> pointers;
};

} // namespace tegula::guess
