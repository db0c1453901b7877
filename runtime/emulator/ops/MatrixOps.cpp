// mma.sync: the product of two matrices whose elements are spread over the registers of a warp.
//
// Lane 4g + t holds row g of A and column g of B. A register of A or B has `per` neighbouring elements of K
// (two halves, four bytes, one word); the four lanes of a group hold 4 * per neighbours together. Registers
// go first down eight rows of A (where it has sixteen), then along K. C and D give lane 4g + t the columns 2t
// and 2t + 1 of rows g and g + 8.

#include "runtime/emulator/numeric/MatrixElements.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/Warp.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

// In an `Inst` of mma: `op` and `combine` are the elements of A and B, `bytes` is M, `count` is K, `type` is
// that of the accumulators, and the pool holds the registers of D, A, B and C.

struct Fragments {
  unsigned a, b, c; ///< registers
  const Row *rowsD, *rowsA, *rowsB, *rowsC;
};

unsigned registersOfA(const Inst &inst) {
  return inst.bytes * inst.count / (32 * elementsPerRegister(MatrixElement(inst.op)));
}
unsigned registersOfB(const Inst &inst) {
  return matrixColumns * inst.count / (32 * elementsPerRegister(MatrixElement(inst.op)));
}
unsigned registersOfC(const Inst &inst) {
  return inst.bytes * matrixColumns / (inst.type == Type::F16 ? 64 : 32);
}

Fragments fragmentsOf(const Warp &warp, const Inst &inst) {
  Fragments out{
      registersOfA(inst), registersOfB(inst), registersOfC(inst), nullptr, nullptr, nullptr, nullptr};
  out.rowsD = &warp.function->pool[inst.pool];
  out.rowsA = out.rowsD + out.c;
  out.rowsB = out.rowsA + out.a;
  out.rowsC = out.rowsB + out.b;
  return out;
}

/// Calls `body(row, k, bits)` for each element of A, `Per` of them in a register.
template <unsigned Per, typename Body>
void forA(Warp &warp, const Inst &inst, const Fragments &fragments, Body body) {
  constexpr unsigned width = Per == 1 ? 64 : 32 / Per;
  const unsigned halves = inst.bytes / 8;
  for (unsigned i = 0; i < fragments.a; ++i) {
    const uint64_t *words = warp.row(fragments.rowsA[i]);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned e = 0; e < Per; ++e)
        body(lane / 4 + i % halves * 8, (i / halves * 4 + lane % 4) * Per + e,
             words[lane] >> (width * e % 64) & lowMask(width));
  }
}

/// Calls `body(k, column, bits)` for each element of B.
template <unsigned Per, typename Body> void forB(Warp &warp, const Fragments &fragments, Body body) {
  constexpr unsigned width = Per == 1 ? 64 : 32 / Per;
  for (unsigned i = 0; i < fragments.b; ++i) {
    const uint64_t *words = warp.row(fragments.rowsB[i]);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned e = 0; e < Per; ++e)
        body((i * 4 + lane % 4) * Per + e, lane / 4, words[lane] >> (width * e % 64) & lowMask(width));
  }
}

/// Calls `body(register, lane, row, column)` for each accumulator; a register of halves holds two columns and
/// is visited once, at the lower.
template <typename Body> void forC(const Inst &inst, const Fragments &fragments, Body body) {
  const bool packed = inst.type == Type::F16;
  for (unsigned i = 0; i < fragments.c; ++i)
    for (unsigned lane = 0; lane < lanes; ++lane)
      body(i, lane, lane / 4 + (packed ? i : i / 2) * 8, lane % 4 * 2 + (packed ? 0 : i % 2));
}

template <MatrixElement E>
void readA(Warp &warp, const Inst &inst, const Fragments &fragments, FusedOperands &o) {
  constexpr unsigned per = elementsPerRegister(E);
  forA<per>(warp, inst, fragments, [&](unsigned row, unsigned k, uint64_t bits) {
    k = per == 4 ? placeOfEight(k, inst.count) : k;
    split<E, leastExponentAsHalf<E>()>(bits, o.a[row][k], o.aExponent[row][k], o.special);
  });
}

template <MatrixElement E>
void readB(Warp &warp, const Inst &inst, const Fragments &fragments, FusedOperands &o) {
  constexpr unsigned per = elementsPerRegister(E);
  forB<per>(warp, fragments, [&](unsigned k, unsigned column, uint64_t bits) {
    k = per == 4 ? placeOfEight(k, inst.count) : k;
    split<E, leastExponentAsHalf<E>()>(bits, o.b[k][column], o.bExponent[k][column], o.special);
  });
}

using Reader = void (*)(Warp &, const Inst &, const Fragments &, FusedOperands &);
constexpr Reader readersOfA[] = {readA<MatrixElement::F16>, readA<MatrixElement::BF16>,
                                 readA<MatrixElement::TF32>, readA<MatrixElement::E4M3>,
                                 readA<MatrixElement::E5M2>};
constexpr Reader readersOfB[] = {readB<MatrixElement::F16>, readB<MatrixElement::BF16>,
                                 readB<MatrixElement::TF32>, readB<MatrixElement::E4M3>,
                                 readB<MatrixElement::E5M2>};

void runFused(Warp &warp, const Inst &inst, const Fragments &fragments) {
  FusedOperands o;
  readersOfA[inst.op](warp, inst, fragments, o);
  readersOfB[inst.combine](warp, inst, fragments, o);
  const bool packed = inst.type == Type::F16;
  forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
    readSums(warp.row(fragments.rowsC[i])[lane], packed, &o.c[row][column]);
  });
  const bool eights = elementsPerRegister(MatrixElement(inst.op)) == 4;
  (eights ? multiplyEights : multiplyFused)(o, inst.count, packed ? half : single);
  forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
    warp.row(fragments.rowsD[i])[lane] = bitsOfSums(&o.c[row][column], packed);
  });
}

void runIntegers(Warp &warp, const Inst &inst, const Fragments &fragments) {
  IntegerOperands o;
  const auto a = MatrixElement(inst.op), b = MatrixElement(inst.combine);
  forA<4>(warp, inst, fragments,
          [&](unsigned row, unsigned k, uint64_t bits) { o.a[row][k] = integerValue(a, bits); });
  forB<4>(warp, fragments,
          [&](unsigned k, unsigned column, uint64_t bits) { o.b[k][column] = integerValue(b, bits); });
  forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
    o.c[row][column] = int32_t(warp.row(fragments.rowsC[i])[lane]);
  });
  multiplyIntegers(o, inst.bytes, inst.count, inst.has(FlagFinite));
  forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
    warp.row(fragments.rowsD[i])[lane] = uint32_t(o.c[row][column]);
  });
}

void runDoubles(Warp &warp, const Inst &inst, const Fragments &fragments) {
  DoubleOperands o;
  forA<1>(warp, inst, fragments,
          [&](unsigned row, unsigned k, uint64_t bits) { o.a[row][k] = asDouble(bits); });
  forB<1>(warp, fragments,
          [&](unsigned k, unsigned column, uint64_t bits) { o.b[k][column] = asDouble(bits); });
  forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
    o.c[row][column] = warp.row(fragments.rowsC[i])[lane];
  });
  multiplyDoubles(o, inst.bytes, inst.count, inst.rounding);
  forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
    warp.row(fragments.rowsD[i])[lane] = o.c[row][column];
  });
}

/// The undefined elements of D: rows of A and columns of B that have an undefined element, and those of C.
class Undefined {
public:
  Undefined(const Warp &warp, const Inst &inst, const Fragments &fragments) {
    const unsigned halves = inst.bytes / 8;
    for (unsigned i = 0; i < fragments.a; ++i)
      forLanes(~warp.defined[fragments.rowsA[i]],
               [&](uint32_t lane) { rows |= 1u << (lane / 4 + i % halves * 8); });
    for (unsigned i = 0; i < fragments.b; ++i)
      forLanes(~warp.defined[fragments.rowsB[i]], [&](uint32_t lane) { columns |= 1u << (lane / 4); });
    for (unsigned i = 0; i < fragments.c; ++i) {
      sums[i] = warp.definedBytes(fragments.rowsC[i]);
      any |= sums[i][0] != ~0u || sums[i][2] != ~0u;
    }
    any |= rows != 0 || columns != 0;
  }

  void markResults(Warp &warp, const Inst &inst, const Fragments &fragments) {
    if (!any) {
      for (unsigned i = 0; i < fragments.c; ++i)
        warp.setDefined(fragments.rowsD[i], ~0u);
      return;
    }
    forC(inst, fragments, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
      for (unsigned byte = 0; byte < 8; ++byte) {
        const unsigned at = column + (inst.type == Type::F16 ? byte / 2 % 2 : 0);
        if (rows >> row & 1 || columns >> at & 1)
          sums[i][byte] &= ~(1u << lane);
      }
    });
    for (unsigned i = 0; i < fragments.c; ++i)
      warp.setDefinedBytes(fragments.rowsD[i], sums[i], 4);
  }

private:
  uint32_t rows = 0, columns = 0;
  bool any = false;
  std::array<std::array<uint32_t, 8>, 4> sums;
};

void multiply(Warp &warp, const Inst &inst) {
  if (!warp.requireWhole())
    return;
  const Fragments fragments = fragmentsOf(warp, inst);
  Undefined undefined(warp, inst, fragments);
  if (inst.type == Type::F64)
    runDoubles(warp, inst, fragments);
  else if (inst.type == Type::S32)
    runIntegers(warp, inst, fragments);
  else
    runFused(warp, inst, fragments);
  undefined.markResults(warp, inst, fragments);
}

/// Returns true if the architecture has an instruction of M rows and depth K.
bool exists(MatrixElement a, MatrixElement b, Type sum, unsigned m, unsigned k) {
  const auto among = [k](std::initializer_list<unsigned> depths) {
    return std::find(depths.begin(), depths.end(), k) != depths.end();
  };
  const auto bothIn = [&](MatrixElement first, MatrixElement last) {
    return a >= first && a <= last && b >= first && b <= last;
  };
  if (bothIn(MatrixElement::F16, MatrixElement::F16))
    return m == 16 && among({8, 16}) && (sum == Type::F16 || sum == Type::F32);
  if (bothIn(MatrixElement::BF16, MatrixElement::BF16))
    return m == 16 && among({8, 16}) && sum == Type::F32;
  if (bothIn(MatrixElement::TF32, MatrixElement::TF32))
    return m == 16 && among({4, 8}) && sum == Type::F32;
  if (bothIn(MatrixElement::E4M3, MatrixElement::E5M2))
    return m == 16 && among({16, 32}) && (sum == Type::F16 || sum == Type::F32);
  if (bothIn(MatrixElement::S8, MatrixElement::U8))
    return sum == Type::S32 && (m == 16 ? among({16, 32}) : k == 16);
  return a == MatrixElement::F64 && b == a && sum == Type::F64 && (m == 16 ? among({4, 8, 16}) : k == 4);
}

bool takeShape(Form &form) {
  struct Shape {
    std::string_view name;
    uint8_t m, k;
  };
  static constexpr Shape shapes[] = {{"m8n8k4", 8, 4},   {"m8n8k16", 8, 16},   {"m16n8k4", 16, 4},
                                     {"m16n8k8", 16, 8}, {"m16n8k16", 16, 16}, {"m16n8k32", 16, 32}};
  for (const Shape &shape : shapes)
    if (form.take(shape.name)) {
      form.inst.bytes = shape.m;
      form.inst.count = shape.k;
      return true;
    }
  return false;
}

} // namespace

bool decodeMatrix(Form &form) {
  Inst &inst = form.inst;
  if (!form.take("sync") || !form.take("aligned") || !takeShape(form))
    return false;
  for (const std::string_view order : {"row", "col"}) // of A, of B
    if (form.modifiersLeft().empty() || form.modifiersLeft().front() != order || !form.take(order))
      return false;
  const bool anyEight = form.take("kind::f8f6f4"), rounded = form.takeRounding();
  form.takeFlag("satfinite", FlagFinite);
  const std::vector<std::string_view> types = form.modifiersLeft();
  if (types.size() != 4 || types[0] != types[3])
    return false;
  for (const std::string_view type : types)
    form.take(type);
  MatrixElement a, b;
  const std::optional<Type> sum = parseType(types[0]);
  if (!sum || !parseElement(types[1], a) || !parseElement(types[2], b) ||
      !exists(a, b, *sum, inst.bytes, inst.count))
    return false;
  const bool isEight = a == MatrixElement::E4M3 || a == MatrixElement::E5M2;
  if ((anyEight && (!isEight || inst.count != 32)) || (rounded && *sum != Type::F64) ||
      (inst.has(FlagFinite) && *sum != Type::S32))
    return false;
  inst.run = multiply;
  inst.op = uint8_t(a);
  inst.combine = uint8_t(b);
  inst.type = *sum;
  inst.pool = form.poolSize();
  const Type word = *sum == Type::F64 ? Type::B64 : Type::B32;
  return form.expectOperands(4) && form.poolRegisters(0, registersOfC(inst), word, true) &&
         form.poolRegisters(1, registersOfA(inst), word, false) &&
         form.poolRegisters(2, registersOfB(inst), word, false) &&
         form.poolRegisters(3, registersOfC(inst), word, false);
}

} // namespace tegula::runtime::ptx
