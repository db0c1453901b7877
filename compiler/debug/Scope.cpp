#include "compiler/debug/Scope.h"

namespace tegula::debug {

const Array *arrayNamed(llvm::ArrayRef<Array> arrays, llvm::StringRef name) {
  for (const Array &one : arrays)
    if (one.name == name)
      return &one;
  return nullptr;
}

const NamedValue *Scope::find(llvm::StringRef name) const {
  if (!names)
    return nullptr;
  const auto found = names->find(name);
  return found == names->end() ? nullptr : &found->second;
}

const Array *Scope::array(llvm::StringRef name) const {
  const NamedValue *named = find(name);
  const bool isPointer =
      named && llvm::StringRef(named->type).starts_with("pointer") && named->value.size() == 1;
  if (named && !isPointer)
    return nullptr;
  if (const Array *found = arrayNamed(arrays, name))
    return found;
  // A helper's parameter that was given the array.
  for (const Array &one : arrays)
    if (isPointer && named->value.bits[0] == one.address)
      return &one;
  return nullptr;
}

} // namespace tegula::debug
