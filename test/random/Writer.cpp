#include "test/random/Writer.h"
#include "test/random/Numbers.h"

namespace tegula::random {

using enum ScalarKind;

bool isFloat(ScalarKind type) { return type >= Float16; }
bool isSigned(ScalarKind type) { return type >= Int8 && type <= Int64; }
int bitsOf(ScalarKind type) { return type == Int1 ? 1 : int(scalarKindBytes(type)) * 8; }

Writer::Writer(uint64_t seed, Kind kind) : random(seed * 0x9e3779b97f4a7c15 + 1) {
  kernel.seed = seed;
  kernel.kind = kind;
}

Argument Writer::newArray(const char *prefix, ScalarKind type, int percent) {
  Argument array;
  array.name = fresh(prefix);
  array.type = {type, 1, {16}};
  if (percent && chance(percent)) {
    array.skip = uint32_t(1 + upTo(3));
    array.type.facts.divisibility = scalarKindBytes(type);
  }
  return array;
}

void Writer::addElement(Argument &array, double number) {
  const ScalarKind type = array.type.scalar;
  addBits(array, isFloat(type) ? nearest(type, number) : uint64_t(int64_t(number)));
}

void Writer::addBits(Argument &array, uint64_t bits) {
  const int width = bitsOf(array.type.scalar);
  array.elements.push_back(width == 64 ? bits : bits & ((uint64_t(1) << width) - 1));
}

Argument &Writer::output(const char *prefix, ScalarKind type, int64_t count) {
  Argument &array = kernel.arguments.emplace_back(newArray(prefix, type, 0));
  array.isOutput = true;
  array.elements.resize(size_t(count));
  return array;
}

} // namespace tegula::random
