// Products of matrices: each type, each precision, batches, and what is undefined of them.
#include "compiler/interp/values/Floats.h"
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <random>

using namespace tegula::interp;

namespace {

/// "tensor<2x4xf32>"
std::string tensor(std::initializer_list<int> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int side : shape)
    text += std::to_string(side) + "x";
  return text + element + ">";
}

/// Loads or stores `array`, an argument, in row-major order as the tensor `name`.
std::string access(const std::string &verb, const std::string &array, const std::string &name,
                   std::initializer_list<int> shape, const std::string &element) {
  int count = 1;
  for (int side : shape)
    count *= side;
  const std::string flat = tensor({count}, "!tile.ptr<" + element + ">"),
                    pointers = tensor(shape, "!tile.ptr<" + element + ">"), p = "%" + array;
  std::string text = p + "i = tile.arange 0 to " + std::to_string(count) + " : " + tensor({count}, "i32") +
                     "\n" + p + "s = tile.splat " + p + " : !tile.ptr<" + element + "> -> " + flat + "\n" +
                     p + "f = tile.addptr " + p + "s, " + p + "i : " + flat + ", " + tensor({count}, "i32") +
                     "\n" + p + "p = tile.reshape " + p + "f : " + flat + " -> " + pointers + "\n";
  return text + (verb == "load" ? "%" + name + " = tile.load " + p + "p : " + pointers + "\n"
                                : "tile.store " + p + "p, %" + name + " : " + pointers + "\n");
}

struct Sides {
  int batch, m, n, k;
};

/// The bits of c + a * b, each array in row-major order.
std::vector<uint64_t> dot(const Sides &sides, const std::string &type, const std::string &sumType,
                          std::vector<uint64_t> a, std::vector<uint64_t> b, std::vector<uint64_t> c,
                          const std::string &precision = "", std::vector<bool> *defined = nullptr,
                          bool isDefined = true) {
  const auto shaped = [&](int rows, int columns, const std::string &element) {
    return sides.batch ? tensor({sides.batch, rows, columns}, element) : tensor({rows, columns}, element);
  };
  const auto moved = [&](const char *verb, const char *array, const char *name, int rows, int columns,
                         const std::string &element) {
    return sides.batch ? access(verb, array, name, {sides.batch, rows, columns}, element)
                       : access(verb, array, name, {rows, columns}, element);
  };
  const auto bytes = [](const std::string &element) {
    return element == "bf16" ? 2u : unsigned(std::stoul(element.substr(1))) / 8;
  };
  std::string ir = "func.func @f(%a: !tile.ptr<" + type + ">, %b: !tile.ptr<" + type + ">, %c: !tile.ptr<" +
                   sumType + ">, %d: !tile.ptr<" + sumType + ">) {\n";
  ir += moved("load", "a", "x", sides.m, sides.k, type) + moved("load", "b", "y", sides.k, sides.n, type) +
        moved("load", "c", "z", sides.m, sides.n, sumType);
  ir += "%r = tile.dot %x, %y, %z" + (precision.empty() ? "" : " precision " + precision) + " : " +
        shaped(sides.m, sides.k, type) + ", " + shaped(sides.k, sides.n, type) + " -> " +
        shaped(sides.m, sides.n, sumType) + "\n";
  ir += moved("store", "d", "r", sides.m, sides.n, sumType) + "return\n}\n";
  std::vector<uint64_t> d(c.size());
  std::vector<Array> arrays{{bytes(type), std::move(a), isDefined},
                            {bytes(type), std::move(b)},
                            {bytes(sumType), std::move(c)},
                            {bytes(sumType), std::move(d)}};
  Options options;
  options.checkUndefinedStores = false;
  Outcome outcome = run(ir, arrays, {}, {1, 1, 1}, options);
  EXPECT_EQ(outcome.text, "") << ir;
  if (defined)
    *defined = arrays[3].defined;
  return arrays[3].elements;
}

std::vector<uint64_t> encoded(Element::Kind kind, const std::vector<double> &values) {
  std::vector<uint64_t> bits;
  for (double value : values)
    bits.push_back(encodeFloat(kind, value));
  return bits;
}

std::vector<double> smallNumbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(count);
  for (double &value : values)
    value = double(int(random() % 9) - 4);
  return values;
}

} // namespace

// Small whole numbers have exact sums in every format, so that plain loops say what comes out.
TEST(InterpreterDots, OfEveryType) {
  struct {
    const char *type, *sumType;
    Element::Kind kind, sumKind;
  } const cases[] = {{"f16", "f32", Element::Float16, Element::Float32},
                     {"f16", "f16", Element::Float16, Element::Float16},
                     {"bf16", "f32", Element::BFloat16, Element::Float32},
                     {"f8E4M3FN", "f32", Element::Float8E4M3, Element::Float32},
                     {"f8E5M2", "f16", Element::Float8E5M2, Element::Float16},
                     {"f32", "f32", Element::Float32, Element::Float32},
                     {"f64", "f64", Element::Float64, Element::Float64}};
  for (const Sides &sides : {Sides{0, 4, 8, 16}, Sides{0, 1, 2, 4}, Sides{2, 4, 2, 8}})
    for (const auto &[type, sumType, kind, sumKind] : cases) {
      const size_t batches = size_t(std::max(1, sides.batch)), m = size_t(sides.m), n = size_t(sides.n),
                   k = size_t(sides.k);
      const std::vector<double> a = smallNumbers(batches * m * k, 1), b = smallNumbers(batches * k * n, 2),
                                c = smallNumbers(batches * m * n, 3);
      std::vector<double> expected = c;
      for (size_t i = 0; i < expected.size(); ++i)
        for (size_t at = 0; at < k; ++at)
          expected[i] += a[i / n * k + at] * b[(i / (m * n) * k + at) * n + i % n];
      EXPECT_EQ(dot(sides, type, sumType, encoded(kind, a), encoded(kind, b), encoded(sumKind, c)),
                encoded(sumKind, expected))
          << type;
    }
}

TEST(InterpreterDots, OfIntegersWrapRound) {
  // -128 * -128 + 127 * 1 from the largest number on.
  EXPECT_EQ(dot({0, 1, 1, 2}, "i8", "i32", {0x80, 0x7f}, {0x80, 1}, {0x7fffffff}),
            std::vector<uint64_t>{0x7fffffffu + 16384 + 127});
}

TEST(InterpreterDots, RoundOnceOperandsAsThePrecisionSays) {
  const double fine = 1 + std::ldexp(1, -12); // no tf32
  const std::vector<uint64_t> a = encoded(Element::Float32, {fine, 1}),
                              b = encoded(Element::Float32, {1, -1}), zero{0};
  EXPECT_EQ(dot({0, 1, 1, 2}, "f32", "f32", a, b, zero, "ieee"),
            encoded(Element::Float32, {std::ldexp(1, -12)}));
  EXPECT_EQ(dot({0, 1, 1, 2}, "f32", "f32", a, b, zero, "tf32x3"),
            encoded(Element::Float32, {std::ldexp(1, -12)}));
  EXPECT_EQ(dot({0, 1, 1, 2}, "f32", "f32", a, b, zero, "tf32"), zero);
  // 2^24 + 1 + 1: each sum alone would round the 1 away.
  EXPECT_EQ(dot({0, 1, 1, 2}, "bf16", "f32", encoded(Element::BFloat16, {1, 1}),
                encoded(Element::BFloat16, {1, 1}), encoded(Element::Float32, {std::ldexp(1, 24)})),
            encoded(Element::Float32, {std::ldexp(1, 24) + 2}));
  // f64: (1 + 2^-30)^2 - 1 keeps its last digit, since the product is not rounded.
  const double near = 1 + std::ldexp(1, -30);
  EXPECT_EQ(dot({0, 1, 1, 1}, "f64", "f64", encoded(Element::Float64, {near}),
                encoded(Element::Float64, {near}), encoded(Element::Float64, {-1})),
            encoded(Element::Float64, {std::fma(near, near, -1)}));
}

// Only sums with an undefined part are undefined.
TEST(InterpreterDots, KeepWhatIsUndefined) {
  std::vector<bool> defined;
  dot({0, 2, 2, 2}, "f16", "f32", {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, "", &defined, false);
  EXPECT_EQ(defined, std::vector<bool>(4, false));
  const std::string f16 = "tensor<2x2xf16>", pointers = "tensor<2x2x!tile.ptr<f16>>";
  std::vector<Array> arrays{{2, {1, 2, 3, 4}}, {4, {0, 0, 0, 0}}};
  Options options;
  options.checkUndefinedStores = false;
  const auto masked = [&](const std::string &operands) {
    Outcome outcome = run("func.func @f(%a: !tile.ptr<f16>, %d: !tile.ptr<f32>) {\n" +
                              access("load", "a", "whole", {2, 2}, "f16") +
                              "%mask = arith.constant dense<[[true, true], [false, true]]> : tensor<2x2xi1>\n"
                              "%part = tile.load %ap, %mask : " +
                              pointers +
                              "\n%zero = arith.constant dense<0.0> : tensor<2x2xf32>\n"
                              "%r = tile.dot " +
                              operands + ", %zero : " + f16 + ", " + f16 + " -> tensor<2x2xf32>\n" +
                              access("store", "d", "r", {2, 2}, "f32") + "return\n}",
                          arrays, {}, {1, 1, 1}, options);
    EXPECT_EQ(outcome.text, "");
    return arrays[1].defined;
  };
  EXPECT_EQ(masked("%part, %whole"), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(masked("%whole, %part"), (std::vector<bool>{false, true, false, true}));
}

TEST(InterpreterDots, AreFastAndCountTheirSteps) {
  const std::string ir = R"(func.func @f() {
    %a = arith.constant dense<1.0> : tensor<256x256xf16>
    %c = arith.constant dense<0.0> : tensor<256x256xf32>
    %r = tile.dot %a, %a, %c : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf32>
    return
  })";
  std::vector<Array> none;
  const std::clock_t begin = std::clock();
  EXPECT_EQ(run(ir, none).text, "");
  EXPECT_LT(std::clock() - begin, 5 * CLOCKS_PER_SEC); // a tenth of a second of the processor, mostly
  Options few;
  few.stepLimit = 1 << 20;
  EXPECT_EQ(run(ir, none, {}, {1, 1, 1}, few).text.substr(0, 40), "the program took more than 1048576 steps");
}
