// wgmma: products of four warps, whose operands lie in shared memory.
//
// Warp w of a group has rows 16w to 16w + 15 of D and A. Its lane 4g + t holds of D, for each eight columns,
// what `mma.sync` gives it: columns 2t and 2t + 1 of rows g and g + 8. A from registers lies as for
// `mma.sync`.

#include "runtime/emulator/async/GroupOperand.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/numeric/MatrixElements.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

constexpr unsigned rowsOfWarp = 16, bytesOfDepth = 32;

/// Operands of a product. The pool holds the registers of D, then those of A where it comes from registers.
struct ProductData final : InstData {
  MatrixElement a, b;
  uint32_t columns = 0, depth = 0;
  uint32_t sums = 0, operands = 0; ///< registers
  bool kContiguousA = true, kContiguousB = true;
  bool negatesA = false, negatesB = false;
  Row descriptorA = noRow, descriptorB = noRow;
  Row adds = noRow; ///< a predicate: D is added to; else `alwaysAdds` says so
  bool addsNegated = false, alwaysAdds = true;
};

uint32_t bytesOf(MatrixElement element) { return 4 / elementsPerRegister(element); }

/// The one value that all lanes have in `row`; faults where they differ or have none.
bool uniform(Warp &warp, Row row, const char *what, uint64_t &value) {
  if (!warp.requireDefined(row, what))
    return false;
  const uint64_t *values = warp.row(row);
  value = values[0];
  if (std::all_of(values, values + lanes, [&](uint64_t lane) { return lane == values[0]; }))
    return true;
  return warp.refuse(wholeWarp, "lanes have different values as {}", what);
}

/// A from registers as elements of the warp's 16 rows.
void readRegistersOfA(Warp &warp, const ProductData &data, const Row *rows, GroupElements &elements) {
  const unsigned each = elementsPerRegister(data.a), width = 32 / each;
  elements.bits.assign(size_t(rowsOfWarp) * data.depth, 0);
  elements.undefined.assign(rowsOfWarp, false);
  for (unsigned i = 0; i < data.operands; ++i) {
    const uint64_t *words = warp.row(rows[i]);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned row = lane / 4 + i % 2 * 8;
      for (unsigned e = 0; e < each; ++e)
        elements.bits[size_t(row) * data.depth + (i / 2 * 4 + lane % 4) * each + e] =
            uint32_t(words[lane] >> (width * e % 64) & lowMask(width));
      if (!warp.isDefined(rows[i], lane))
        elements.undefined[row] = true;
    }
  }
}

/// The operands' needed elements, and the sums read and written.
struct Work {
  GroupElements a, b;
  bool adds = true;
};

template <MatrixElement E> void splitA(const GroupElements &elements, bool negates, FusedOperands &o) {
  for (unsigned row = 0; row < rowsOfWarp; ++row)
    for (unsigned k = 0; k < elements.k; ++k) {
      split<E>(elements.bits[size_t(row) * elements.k + k], o.a[row][k], o.aExponent[row][k], o.special);
      o.a[row][k] = negates ? -o.a[row][k] : o.a[row][k];
    }
}

template <MatrixElement E>
void splitB(const GroupElements &elements, unsigned first, bool negates, FusedOperands &o) {
  for (unsigned column = 0; column < matrixColumns; ++column)
    for (unsigned k = 0; k < elements.k; ++k) {
      split<E>(elements.bits[size_t(first + column) * elements.k + k], o.b[k][column], o.bExponent[k][column],
               o.special);
      o.b[k][column] = negates ? -o.b[k][column] : o.b[k][column];
    }
}

using SplitA = void (*)(const GroupElements &, bool, FusedOperands &);
using SplitB = void (*)(const GroupElements &, unsigned, bool, FusedOperands &);
constexpr SplitA splittersOfA[] = {splitA<MatrixElement::F16>, splitA<MatrixElement::BF16>,
                                   splitA<MatrixElement::TF32>, splitA<MatrixElement::E4M3>,
                                   splitA<MatrixElement::E5M2>};
constexpr SplitB splittersOfB[] = {splitB<MatrixElement::F16>, splitB<MatrixElement::BF16>,
                                   splitB<MatrixElement::TF32>, splitB<MatrixElement::E4M3>,
                                   splitB<MatrixElement::E5M2>};

/// Calls `body(register, lane, row, column)` for each register of eight columns of D from `first` on.
template <typename Body> void forSums(bool packed, unsigned first, Body body) {
  const unsigned count = packed ? 2 : 4;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned lane = 0; lane < lanes; ++lane)
      body(first / matrixColumns * count + i, lane, lane / 4 + (packed ? i : i / 2) * 8,
           lane % 4 * 2 + (packed ? 0 : i % 2));
}

void runFused(Warp &warp, const Inst &inst, const Work &work, PendingProduct &product) {
  const auto &data = inst.dataAs<ProductData>();
  const bool packed = inst.type == Type::F16;
  FusedOperands o;
  splittersOfA[size_t(data.a)](work.a, data.negatesA, o);
  const bool specialA = o.special;
  for (unsigned first = 0; first < data.columns; first += matrixColumns) {
    o.special = specialA;
    splittersOfB[size_t(data.b)](work.b, first, data.negatesB, o);
    forSums(packed, first, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
      readSums(work.adds ? warp.row(product.sums[i])[lane] : 0, packed, &o.c[row][column]);
    });
    multiplyForGroup(o, data.depth, bytesOf(data.a) == 1, packed ? half : single);
    forSums(packed, first, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
      product.values[i][lane] = bitsOfSums(&o.c[row][column], packed);
    });
  }
}

void runIntegers(Warp &warp, const Inst &inst, const Work &work, PendingProduct &product) {
  const auto &data = inst.dataAs<ProductData>();
  IntegerOperands o;
  for (unsigned row = 0; row < rowsOfWarp; ++row)
    for (unsigned k = 0; k < data.depth; ++k)
      o.a[row][k] = integerValue(data.a, work.a.bits[size_t(row) * data.depth + k]);
  for (unsigned first = 0; first < data.columns; first += matrixColumns) {
    for (unsigned column = 0; column < matrixColumns; ++column)
      for (unsigned k = 0; k < data.depth; ++k)
        o.b[k][column] = integerValue(data.b, work.b.bits[size_t(first + column) * data.depth + k]);
    forSums(false, first, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
      o.c[row][column] = work.adds ? int32_t(warp.row(product.sums[i])[lane]) : 0;
    });
    multiplyIntegers(o, rowsOfWarp, data.depth, inst.has(FlagFinite));
    forSums(false, first, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
      product.values[i][lane] = uint32_t(o.c[row][column]);
    });
  }
}

/// A sum is undefined where its row of A or its column of B is, or what it is added to.
void markDefined(const Warp &warp, const Work &work, bool packed, unsigned columns,
                 const PendingProduct *before, PendingProduct &product) {
  for (size_t i = 0; i < product.sums.size(); ++i)
    product.defined[i] = !work.adds ? ~0u : before ? before->defined[i] : warp.defined[product.sums[i]];
  for (unsigned first = 0; first < columns; first += matrixColumns)
    forSums(packed, first, [&](unsigned i, unsigned lane, unsigned row, unsigned column) {
      bool isUndefined = work.a.undefined[row] || work.b.undefined[first + column] ||
                         (packed && work.b.undefined[first + column + 1]);
      if (isUndefined)
        product.defined[i] &= ~(1u << lane);
    });
}

/// Registers may be handed to the unit only behind a fence, unless the unit itself wrote them last.
bool mayTake(Warp &warp, const ProductData &data, const Work &work, const PendingProduct *before,
             const PendingProduct &product) {
  const GroupProducts &products = blockOf(warp).products;
  if (before) {
    bool isSame = before->sums == product.sums;
    for (size_t i = 0; isSame && i < product.sums.size(); ++i)
      isSame = std::equal(before->values[i].begin(), before->values[i].end(), warp.row(product.sums[i]));
    if (!isSame)
      return warp.refuse(wholeWarp,
                         "sums of the `wgmma` at {} are still in flight and no longer its own: they "
                         "were written, or belong to a product of another shape",
                         warp.block->faults.placeName(before->line));
  }
  const bool takesRegisters = data.operands || (work.adds && !before) || !before;
  if (!takesRegisters || products.isFenced(warp.index))
    return true;
  return warp.refuse(wholeWarp, "no `wgmma.fence` stands between the registers' last use and the product");
}

void multiply(Warp &warp, const Inst &inst) {
  Block &block = blockOf(warp);
  const auto &data = inst.dataAs<ProductData>();
  if (!warp.requireWhole())
    return;
  if (warp.index / warpsOfGroup * warpsOfGroup + warpsOfGroup > block.allWarps().size())
    return warp.fault(wholeWarp, "a group has four warps, and the block has not so many here");
  Work work;
  uint64_t a = 0, b = 0;
  if (!uniform(warp, data.descriptorB, "a matrix descriptor", b) ||
      (data.descriptorA != noRow && !uniform(warp, data.descriptorA, "a matrix descriptor", a)))
    return;
  block.products.meet(warp, a, b);
  work.adds = data.alwaysAdds;
  if (data.adds != noRow) {
    if (!warp.requirePredicate(data.adds, "a predicate"))
      return;
    const uint32_t holds = warp.predicates[data.adds] ^ (data.addsNegated ? ~0u : 0u);
    if (holds != 0 && holds != ~0u)
      return warp.fault(wholeWarp, "lanes have different values of `scale-d`");
    work.adds = holds != 0;
  }
  PendingProduct product;
  product.line = inst.line;
  const Row *rows = &warp.function->pool[inst.pool];
  product.sums.assign(rows, rows + data.sums);
  product.operand.assign(rows + data.sums, rows + data.sums + data.operands);
  const PendingProduct *before = block.products.find(warp.index, product.sums);
  if (warp.faulted() || !mayTake(warp, data, work, before, product))
    return;
  work.a.k = work.b.k = data.depth;
  work.a.width = rowsOfWarp;
  work.b.width = data.columns;
  if (data.descriptorA == noRow)
    readRegistersOfA(warp, data, product.operand.data(), work.a);
  else if (!readGroupOperand(warp, a, data.kContiguousA, bytesOf(data.a),
                             warp.index % warpsOfGroup * rowsOfWarp, work.a))
    return;
  if (!readGroupOperand(warp, b, data.kContiguousB, bytesOf(data.b), 0, work.b))
    return;
  product.values.resize(data.sums);
  product.defined.resize(data.sums);
  markDefined(warp, work, inst.type == Type::F16, data.columns, before, product);
  (inst.type == Type::S32 ? runIntegers : runFused)(warp, inst, work, product);
  for (const Row row : product.operand)
    std::copy_n(warp.row(row), lanes, product.operandValues.emplace_back().begin());
  for (size_t i = 0; i < product.sums.size(); ++i) {
    std::copy(product.values[i].begin(), product.values[i].end(), warp.row(product.sums[i]));
    warp.setDefined(product.sums[i], 0);
  }
  std::vector<uint32_t> chunks = std::move(work.a.chunks);
  chunks.insert(chunks.end(), work.b.chunks.begin(), work.b.chunks.end());
  block.products.issue(warp, std::move(product), std::move(chunks));
}

void fence(Warp &warp, const Inst &) {
  if (warp.requireWhole())
    blockOf(warp).products.fence(warp.index);
}

void commit(Warp &warp, const Inst &) {
  if (warp.requireWhole())
    blockOf(warp).products.commit(warp.index);
}

void wait(Warp &warp, const Inst &inst) {
  if (warp.requireWhole())
    blockOf(warp).products.wait(warp, inst.op);
}

/// mMnNkK of 64 rows and 32 bytes of depth.
bool takeShape(Form &form, ProductData &data) {
  std::string_view shape;
  if (!form.takeWhere([](std::string_view name) { return name.starts_with("m64n"); }, &shape))
    return false;
  const size_t k = shape.find('k');
  if (k == std::string_view::npos)
    return false;
  const auto number = [](std::string_view text) {
    uint32_t value = 0;
    for (const char c : text)
      value = c >= '0' && c <= '9' && value < 1000 ? value * 10 + uint32_t(c - '0') : 1000;
    return value;
  };
  data.columns = number(shape.substr(4, k - 4));
  data.depth = number(shape.substr(k + 1));
  return data.columns >= 8 && data.columns <= 256 && data.columns % 8 == 0;
}

/// Returns true if one instruction computes such a product.
bool exists(const ProductData &data, Type sum) {
  const auto bothIn = [&](MatrixElement first, MatrixElement last) {
    return data.a >= first && data.a <= last && data.b >= first && data.b <= last;
  };
  if (data.depth * bytesOf(data.a) != bytesOfDepth)
    return false;
  if (bothIn(MatrixElement::F16, MatrixElement::F16) || bothIn(MatrixElement::E4M3, MatrixElement::E5M2))
    return sum == Type::F32 || sum == Type::F16;
  if (bothIn(MatrixElement::BF16, MatrixElement::BF16) || bothIn(MatrixElement::TF32, MatrixElement::TF32))
    return sum == Type::F32;
  // Multiples of 16 columns above 24.
  return bothIn(MatrixElement::S8, MatrixElement::U8) && sum == Type::S32 &&
         (data.columns <= 24 || data.columns % 16 == 0);
}

/// An immediate that is one of two values; `isSecond` says which.
bool choice(Form &form, size_t index, int64_t first, int64_t second, const char *what, bool &isSecond) {
  uint64_t value = 0;
  if (!form.immediate(index, value, what))
    return false;
  isSecond = int64_t(value) == second;
  return int64_t(value) == first || isSecond ? true : form.wrongOperand(index, what);
}

bool takeOperands(Form &form, ProductData &data) {
  Inst &inst = form.inst;
  const bool inMemory = form.operand(1).kind != Operand::Vector, integers = inst.type == Type::S32,
             halves = bytesOf(data.a) == 2;
  const size_t expected = 4 + (integers ? 0 : 2) + (halves ? (inMemory ? 2 : 1) : 0);
  inst.pool = form.poolSize();
  data.sums = data.columns / (inst.type == Type::F16 ? 4 : 2);
  data.operands = inMemory ? 0 : 4;
  if (!form.expectOperands(expected) || !form.poolRegisters(0, data.sums, Type::B32, true))
    return false;
  if (inMemory ? !form.source(1, Type::B64, data.descriptorA)
               : !form.poolRegisters(1, data.operands, Type::B32, false))
    return false;
  if (!form.source(2, Type::B64, data.descriptorB))
    return false;
  bool isOne = false;
  if (form.operand(3).kind == Operand::Predicate) {
    if (!form.predicate(3, data.adds, data.addsNegated))
      return false;
  } else if (choice(form, 3, 0, 1, "a predicate, 0 or 1", isOne)) {
    data.alwaysAdds = isOne;
  } else {
    return false;
  }
  size_t next = 4;
  if (!integers) {
    if (!choice(form, next, 1, -1, "1 or -1", data.negatesA) ||
        !choice(form, next + 1, 1, -1, "1 or -1", data.negatesB))
      return false;
    next += 2;
  }
  bool transposed = false;
  if (halves && inMemory) {
    if (!choice(form, next++, 0, 1, "0 or 1", transposed))
      return false;
    data.kContiguousA = !transposed;
  }
  if (halves) {
    if (!choice(form, next++, 0, 1, "0 or 1", transposed))
      return false;
    data.kContiguousB = !transposed;
  }
  return true;
}

bool decodeProduct(Form &form) {
  Inst &inst = form.inst;
  auto &data = form.addData<ProductData>();
  if (!form.take("sync") || !form.take("aligned") || !takeShape(form, data))
    return false;
  form.takeFlag("satfinite", FlagFinite);
  const std::vector<std::string_view> types = form.modifiersLeft();
  if (types.size() != 3)
    return false;
  const std::optional<Type> sum = parseType(types[0]);
  if (!sum || !parseElement(types[1], data.a) || !parseElement(types[2], data.b) ||
      data.a == MatrixElement::F64 || data.b == MatrixElement::F64)
    return false;
  for (const std::string_view type : types)
    form.take(type);
  if (!exists(data, *sum) || (inst.has(FlagFinite) && *sum != Type::S32))
    return false;
  inst.run = multiply;
  inst.type = *sum;
  return takeOperands(form, data);
}

} // namespace

bool decodeGroupProduct(Form &form) {
  Inst &inst = form.inst;
  if (form.take("mma_async"))
    return decodeProduct(form);
  const auto isAligned = [&] { return form.take("sync") && form.take("aligned"); };
  if (form.take("fence")) {
    inst.run = fence;
    return isAligned() && form.expectOperands(0);
  }
  if (form.take("commit_group")) {
    inst.run = commit;
    return isAligned() && form.expectOperands(0);
  }
  inst.run = wait;
  return form.take("wait_group") && isAligned() && form.groupsLeft();
}

} // namespace tegula::runtime::ptx
