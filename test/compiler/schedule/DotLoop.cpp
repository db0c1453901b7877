#include "test/compiler/schedule/DotLoop.h"

#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"

#include "llvm/Support/FormatVariadic.h"

#include <vector>

namespace tegula {

namespace {

using Sides = std::vector<int32_t>;

/// The shape of a matrix instruction on 8-bit integers.
constexpr MatrixShape Instruction{16, 8, 32};

std::string attribute(const LinearLayout &layout) { return "#tile.layout<" + layout.toString() + ">"; }

std::string shapeText(const Sides &sides) {
  std::string text;
  for (int32_t side : sides)
    text += std::to_string(side) + "x";
  return text;
}

/// A tensor type.
std::string type(const Sides &sides, const std::string &element, const LinearLayout &layout) {
  return "tensor<" + shapeText(sides) + element + ", " + attribute(layout) + ">";
}

class Writer {
public:
  explicit Writer(const DotLoop &form)
      : form(form), warps{1, form.warpsM * (form.byGroups ? WarpsOfGroup : 1), form.warpsN},
        rowsA(coalesced({form.m, form.k}, true)), rowsV(coalesced({form.n, form.n}, true)),
        rowsB(coalesced(sidesOfLoadedB(), !form.narrowB)), sums(result()),
        fragmentsA(operandA({form.m, form.k})), fragmentsB(operandB({form.k, form.n})),
        fragmentsP(operandA({form.m, form.n})), fragmentsV(operandB({form.n, form.n})) {}

  std::string run() {
    begin();
    if (form.isNested) {
      line("%outer:1 = scf.for %o = %c0 to %c2 step %c1 iter_args(%start = %zero) -> ({0}) : i32 {{",
           sumsType());
      loop("%start");
      line("scf.yield %d#0 : {0}", sumsType());
      line("}");
      line("%last = arith.addi %outer#0, %zero : {0}", sumsType());
    } else {
      loop("%zero");
      if (form.isTwice)
        loop("%d#0", "again");
      line("%last = arith.addi %{0}#0, %zero : {1}", form.isTwice ? "again" : "d", sumsType());
    }
    line("%outs = tile.splat %{1} : !tile.ptr<i32> -> {0}", type({form.m, form.n}, "!tile.ptr<i32>", sums),
         form.programs() > 1 ? "outp0" : "out");
    line("%outp = tile.addptr %outs, %insums : {0}, {1}", type({form.m, form.n}, "!tile.ptr<i32>", sums),
         sumsType());
    line("tile.store %outp, %last : {0}", type({form.m, form.n}, "!tile.ptr<i32>", sums));
    text += "return\n}\n}\n";
    return text;
  }

private:
  template <typename... Args> void line(const char *format, Args &&...args) {
    text += llvm::formatv(false, format, std::forward<Args>(args)...).str();
    // A brace that stands alone needs no partner.
    for (size_t at; (at = text.find("{{")) != std::string::npos;)
      text.erase(at, 1);
    text += "\n";
  }

  GroupGrid groups() const { return {form.warpsM, form.warpsN}; }
  LinearLayout result() const {
    Sides sides{form.m, form.n};
    if (form.byThreads)
      return blocked(sides, Sides{2, 4}, Sides{8, 4}, Sides{form.warpsM, form.warpsN},
                     std::vector<unsigned>{1, 0});
    return form.byGroups ? groupResult(sides, form.n / form.warpsN, groups())
                         : matrixResult(sides, Instruction, warps);
  }
  /// Returns the layout in which threads hold whole rows of the first operand, or columns of the second, of
  /// length `k`.
  LinearLayout ofThreads(unsigned index, int32_t k) const {
    unsigned axis = 1 - index;
    return expandDims(slice(sums, axis), axis) * LinearLayout::identity1D(k, Dim::Register, tensorDim(axis));
  }
  LinearLayout operandB(const Sides &sides) const {
    return form.byThreads ? ofThreads(1, sides[0]) : matrixOperand(1, sides, Instruction, warps, 1);
  }
  LinearLayout operandA(const Sides &sides) const {
    if (form.byThreads)
      return ofThreads(0, sides[1]);
    return form.byGroups ? groupOperandA(sides, Instruction.k, groups(), 1)
                         : matrixOperand(0, sides, Instruction, warps, 1);
  }
  std::string unit() const {
    if (form.byThreads)
      return "<fma>";
    return form.byGroups ? "<wgmma, m64n" + std::to_string(form.n / form.warpsN) + "k32>"
                         : "<mma_sync, m16n8k32>";
  }

  Sides sidesOfLoadedB() const { return form.transposedB ? Sides{form.n, form.k} : Sides{form.k, form.n}; }
  std::string sumsType() const { return type({form.m, form.n}, "i32", sums); }

  /// Four neighbours in a row for each thread, or one.
  LinearLayout coalesced(const Sides &sides, bool isWide) const {
    int32_t each = isWide ? 4 : 1, lanes = std::min(32, sides[1] / each);
    return blocked(sides, Sides{1, each}, Sides{32 / lanes, lanes}, Sides{warps.m * warps.n, 1},
                   std::vector<unsigned>{1, 0});
  }

  /// `%NAME`: row * (columns) + column of each element; `%NAMErow`: the row alone.
  void index(const std::string &name, const Sides &sides, const LinearLayout &layout) {
    for (unsigned axis : {0u, 1u}) {
      LinearLayout thin = slice(layout, 1 - axis), wide = expandDims(thin, 1 - axis);
      Sides thinSides{sides[axis]}, wideSides = axis == 0 ? Sides{sides[0], 1} : Sides{1, sides[1]};
      std::string end = name + std::to_string(axis);
      line("%{0}a = tile.arange 0 to {1} : {2}", end, sides[axis], type(thinSides, "i32", thin));
      line("%{0}e = tile.expand_dims %{0}a, {1} : {2} -> {3}", end, 1 - axis, type(thinSides, "i32", thin),
           type(wideSides, "i32", wide));
      line("%{0}b = tile.broadcast %{0}e : {1} -> {2}", end, type(wideSides, "i32", wide),
           type(sides, "i32", layout));
    }
    std::string whole = type(sides, "i32", layout);
    line("%{0}s = arith.constant dense<{1}> : {2}", name, sides[1], whole);
    line("%{0}m = arith.muli %{0}0b, %{0}s : {1}", name, whole);
    line("%{0} = arith.addi %{0}m, %{0}1b : {1}", name, whole);
  }

  void pointers(const std::string &name, const std::string &base, const std::string &element,
                const Sides &sides, const LinearLayout &layout) {
    index("in" + name, sides, layout);
    std::string whole = type(sides, "!tile.ptr<" + element + ">", layout);
    line("%p{0}s = tile.splat %{1} : !tile.ptr<{2}> -> {3}", name, base, element, whole);
    line("%p{0} = tile.addptr %p{0}s, %in{0} : {1}, {2}", name, whole, type(sides, "i32", layout));
  }

  void begin() {
    line("module attributes {{tile.target = \"sm_90a\"{0}} {{", form.withoutTma ? ", tile.without = [\"tma\"]"
                                                                : !form.specializes
                                                                    ? ", tile.without = [\"specialize\"]"
                                                                    : "");
    text += "func.func @f(";
    for (const char *name : {"a", "b", "bias", "v", "out"}) {
      std::string element = name == std::string("bias") || name == std::string("out") ? "i32" : "i8";
      text += llvm::formatv("%{0}: !tile.ptr<{1}> {{tile.param = #tile.param<\"{0}\", \"*{1}\", 16>}, ", name,
                            element);
    }
    text += "%trips: i32 {tile.param = #tile.param<\"trips\", \"i32\", 1>}) attributes {tile.kernel = "
            "#tile.kernel<warps = " +
            std::to_string(warps.m * warps.n) + ", stages = " + std::to_string(form.stages) + ">} {\n";
    line("%c0 = arith.constant 0 : i32");
    line("%c1 = arith.constant 1 : i32");
    line("%c2 = arith.constant 2 : i32");
    line("%zero = arith.constant dense<0> : {0}", sumsType());
    index("insums", {form.m, form.n}, sums);
    pointers("a", "a", "i8", {form.m, form.k}, rowsA);
    if (form.programs() > 1) {
      line("%px = tile.program_id x");
      line("%py = tile.program_id y");
      line("%nx = tile.num_programs x");
      line("%rows = arith.muli %py, %nx : i32");
      line("%program = arith.addi %rows, %px : i32");
      ofProgram("b", "i8", form.k * form.n);
      ofProgram("out", "i32", form.m * form.n);
    }
    pointers("b", form.programs() > 1 ? "bp0" : "b", "i8", sidesOfLoadedB(), rowsB);
    pointers("v", "v", "i8", {form.n, form.n}, rowsV);
    pointers("bias", "bias", "i32", {form.m, form.n}, sums);
    if (form.invariantA) {
      loadA("%pa");
      convertA();
    }
  }

  /// `%NAMEp0`: the program's part of an array, `size` elements behind that of the program before.
  void ofProgram(const std::string &name, const std::string &element, int32_t size) {
    line("%{0}each = arith.constant {1} : i32", name, size);
    line("%{0}first = arith.muli %program, %{0}each : i32", name);
    line("%{0}p0 = tile.addptr %{0}, %{0}first : !tile.ptr<{1}>, i32", name, element);
  }

  std::string pointersOfA() const { return type({form.m, form.k}, "!tile.ptr<i8>", rowsA); }
  std::string pointersOfB() const { return type(sidesOfLoadedB(), "!tile.ptr<i8>", rowsB); }

  /// `%NAMEat`: pointers of iteration `%i`, each `size` elements after the one before.
  void pointersAt(const std::string &name, int32_t size, const Sides &sides, const std::string &element,
                  const LinearLayout &layout) {
    line("%{0}size = arith.constant {1} : i32", name, size);
    line("%{0}far = arith.muli %i, %{0}size : i32", name);
    line("%{0}fars = tile.splat %{0}far : i32 -> {1}", name, type(sides, "i32", layout));
    line("%{0}at = tile.addptr %p{0}, %{0}fars : {1}, {2}", name,
         type(sides, "!tile.ptr<" + element + ">", layout), type(sides, "i32", layout));
  }

  void loadA(const std::string &pointers) {
    if (form.maskedA && !form.invariantA) {
      line("%rest = arith.constant {0} : i32", form.m);
      line("%limit = arith.subi %rest, %i : i32");
      line("%limits = tile.splat %limit : i32 -> {0}", type({form.m, form.k}, "i32", rowsA));
      line("%ma = arith.cmpi slt, %ina0b, %limits : {0}", type({form.m, form.k}, "i32", rowsA));
      line("%noa = arith.constant dense<0> : {0}", type({form.m, form.k}, "i8", rowsA));
      line("%va = tile.load {0}, %ma, %noa : {1}", pointers, pointersOfA());
    } else {
      line("%va = tile.load {0} : {1}", pointers, pointersOfA());
    }
  }

  void convertA() {
    line("%fa = tile.convert_layout %va : {0} -> {1}", type({form.m, form.k}, "i8", rowsA),
         type({form.m, form.k}, "i8", fragmentsA));
  }

  void operandB() {
    line("%vb = tile.load %pbn : {0}", pointersOfB());
    std::string loaded = type(sidesOfLoadedB(), "i8", rowsB), source = loaded;
    std::string name = "%vb";
    if (form.transposedB) {
      source = type({form.k, form.n}, "i8", permuteDims(rowsB, std::vector<unsigned>{1, 0}));
      line("%tb = tile.trans %vb, [1, 0] : {0} -> {1}", loaded, source);
      name = "%tb";
    }
    line("%fb = tile.convert_layout {0} : {1} -> {2}", name, source,
         type({form.k, form.n}, "i8", fragmentsB));
  }

  void dot(const std::string &result, const std::string &sum) {
    line("%{0} = tile.dot %fa, %fb, %{1} unit {5} : {2}, {3} -> {4}", result, sum,
         type({form.m, form.k}, "i8", fragmentsA), type({form.k, form.n}, "i8", fragmentsB), sumsType(),
         unit());
  }

  /// The sums of `%first` as an operand, times what is loaded for the iteration.
  void chain() {
    Sides square{form.n, form.n};
    line("%p8 = arith.trunci %first : {0} to {1}", sumsType(), type({form.m, form.n}, "i8", sums));
    line("%fp = tile.convert_layout %p8 : {0} -> {1}", type({form.m, form.n}, "i8", sums),
         type({form.m, form.n}, "i8", fragmentsP));
    pointersAt("v", form.n * form.n, square, "i8", rowsV);
    line("%vv = tile.load %vat : {0}", type(square, "!tile.ptr<i8>", rowsV));
    line("%fv = tile.convert_layout %vv : {0} -> {1}", type(square, "i8", rowsV),
         type(square, "i8", fragmentsV));
    line("%dot = tile.dot %fp, %fv, %acc unit {3} : {0}, {1} -> {2}",
         type({form.m, form.n}, "i8", fragmentsP), type(square, "i8", fragmentsV), sumsType(), unit());
  }

  void loop(const std::string &start, const std::string &name = "d") {
    line("%{0}:3 = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = {1}, %pan = %pa, %pbn = %pb) -> "
         "({2}, {3}, {4}) : i32 {{",
         name, start, sumsType(), pointersOfA(), pointersOfB());
    if (!form.invariantA) {
      if (!form.carriedA)
        pointersAt("a", form.m * form.k, {form.m, form.k}, "i8", rowsA);
      loadA(form.carriedA ? "%pan" : "%aat");
      convertA();
    }
    operandB();
    if (form.isChained) {
      dot("first", "zero");
      chain();
    } else {
      dot("dot", "acc");
    }
    std::string sum = "dot";
    if (form.sharesLoad) {
      dot("again", sum);
      sum = "again";
    }
    if (form.hasBias) {
      pointersAt("bias", form.m * form.n, {form.m, form.n}, "i32", sums);
      line("%vbias = tile.load %biasat : {0}", type({form.m, form.n}, "!tile.ptr<i32>", sums));
      line("%biased = arith.addi %{0}, %vbias : {1}", sum, sumsType());
      sum = "biased";
    }
    line("%stepa = arith.constant dense<{0}> : {1}", form.m * form.k, type({form.m, form.k}, "i32", rowsA));
    line("%pa2 = tile.addptr %pan, %stepa : {0}, {1}", pointersOfA(), type({form.m, form.k}, "i32", rowsA));
    line("%stepb = arith.constant dense<{0}> : {1}", form.k * form.n, type(sidesOfLoadedB(), "i32", rowsB));
    line("%pb2 = tile.addptr %pbn, %stepb : {0}, {1}", pointersOfB(), type(sidesOfLoadedB(), "i32", rowsB));
    line("scf.yield %{0}, %pa2, %pb2 : {1}, {2}, {3}", sum, sumsType(), pointersOfA(), pointersOfB());
    line("}{0}", form.specializes ? " {tile.loop = #tile.loop<specialize>}" : "");
  }

  const DotLoop &form;
  WarpGrid warps;
  LinearLayout rowsA, rowsV, rowsB, sums, fragmentsA, fragmentsB, fragmentsP, fragmentsV;
  std::string text;
};

} // namespace

std::string textOf(const DotLoop &loop) { return Writer(loop).run(); }

DotLoopSizes sizesOf(const DotLoop &loop, unsigned trips) {
  auto times = [&](int32_t size, bool isMoved) { return size_t(size) * (isMoved ? trips : 1); };
  return {times(loop.m * loop.k, !loop.invariantA), size_t(loop.k * loop.n) * (trips + loop.programs() - 1),
          times(loop.m * loop.n, loop.hasBias), times(loop.n * loop.n, loop.isChained),
          size_t(loop.m * loop.n) * loop.programs()};
}

} // namespace tegula
