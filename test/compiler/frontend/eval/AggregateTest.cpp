// Classes decorated `@tl.core._aggregate`: how their values are made, and what is wrong with a class or its
// use.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string errors(const std::string &fields, const std::string &body) {
  std::string all = fileErrors("from triton.language.core import _aggregate as aggregate\n"
                               "@aggregate\nclass A:\n" +
                                   fields + "@triton.jit\ndef k(n):\n    " + body + "\n",
                               {{"n", "i32"}}, "k");
  return all.substr(0, all.find('\n'));
}

const std::string twoFields = "    x: tl.tensor\n    S: tl.constexpr\n";

} // namespace

TEST(Aggregates, WithoutAnInitTheyTakeTheirFieldsInOrderOrByName) {
  EXPECT_EQ(errors(twoFields,
                   "a = A(n, S=4); tl.static_assert(a.S == 4); b = A(x=a.x + 1, S=a.S); tl.assume(b.x > 0)"),
            "");
  EXPECT_EQ(errors(twoFields + "    T: tl.constexpr = 7\n", "tl.static_assert(A(n, 4).T == 7)"), "");
  EXPECT_EQ(errors(twoFields, "A(n)"), "8:5-9: `A`: missing argument `S`");
  EXPECT_EQ(errors(twoFields, "A(n, 1, 2)"), "8:13-14: `A`: expected at most 2 arguments, found 3");
  EXPECT_EQ(errors(twoFields, "A(n, s=2)"), "8:10-13: `A` has no field `s`");
  EXPECT_EQ(errors(twoFields, "A(n, x=n, S=2)"), "8:10-13: `A`: field `x` is given twice");
  EXPECT_EQ(errors(twoFields, "A(n, n)"),
            "8:10-11: expected tl.constexpr for the field `S` of `A`, found int32");
  EXPECT_EQ(errors(twoFields, "A(1, 2)"), "8:7-8: expected tl.tensor for the field `x` of `A`, found int");
}

TEST(Aggregates, AnInitSetsEveryFieldAndNoOther) {
  const std::string init = twoFields + "    def __init__(self, x):\n        ";
  EXPECT_EQ(errors(init + "self.x = x\n", "A(n)"), "10:5-9: the `__init__` of `A` sets no field `S`");
  EXPECT_EQ(errors(init + "self.x = x; self.S = 1; self.y = 2\n", "A(n)"), "7:33-39: `A` has no field `y`");
  EXPECT_EQ(errors(init + "self.x = self.S\n", "A(n)"), "7:23-24: `A` has no attribute `S`");
  EXPECT_EQ(errors(twoFields + "    @triton.jit\n    def __init__(self):\n        pass\n", "A()"),
            "11:5-8: the `__init__` of `A` cannot be a jit function");
}

TEST(Aggregates, AnInitThatDoesNotParseIsAnErrorWhereItIsCalled) {
  const std::string init = twoFields + "    def __init__(self, x):\n        self.x = = x\n";
  EXPECT_EQ(errors(init, "A(n)"), "7:18-19: expected an expression, found `=`");
  EXPECT_EQ(errors(init, "pass"), "");
}

TEST(Aggregates, OfMethodsOfOneNameTheLastIsCalled) {
  EXPECT_EQ(errors(twoFields + "    @triton.constexpr_function\n    def f(self):\n        return 1\n"
                               "    @triton.constexpr_function\n    def f(self):\n        return 2\n",
                   "tl.static_assert(A(n, 3).f() == 2)"),
            "");
}

TEST(Aggregates, BasesComeFirst) {
  const std::string derived = twoFields + "    @triton.jit\n    def f(self):\n        return self.x * 2\n"
                                          "@aggregate\nclass B(A):\n    y: tl.tensor\n";
  EXPECT_EQ(
      errors(
          derived,
          "b = B(n, 3, n); tl.static_assert(isinstance(b, A) and isinstance(b, B)); tl.assume(b.f() > b.y)"),
      "");
  EXPECT_EQ(errors(derived, "tl.static_assert(not isinstance(A(n, 3), B))"), "");
  EXPECT_EQ(errors(twoFields + "class P:\n    pass\n@aggregate\nclass B(P):\n    y: tl.tensor\n", "B(n)"),
            "9:9-10: an aggregate can only derive from other aggregates");
}

TEST(Aggregates, TheyAreNoTuples) {
  EXPECT_EQ(errors(twoFields, "x, s = A(n, 4)"),
            "8:12-19: expected something to iterate over at compile time, found `A`");
  EXPECT_EQ(errors(twoFields, "A(n, 4)[0]"),
            "8:5-15: expected a tensor, tuple or string before `[`, found `A`");
  EXPECT_EQ(errors(twoFields, "tl.static_assert(not isinstance(A(n, 4), tuple))"), "");
  EXPECT_EQ(errors(twoFields, "A(n, 4) + (1,)"), "8:5-19: `+` is not defined for `A` and tuple");
}

TEST(Aggregates, AnyOtherClassIsStillNone) {
  EXPECT_EQ(errors(twoFields + "class P:\n    pass\n", "P()"),
            "10:5-6: class `P` cannot be used in what a kernel reads");
}

namespace {

/// Returns the errors of a statement about `d` and `e`, two aggregates with the functions in `methods`, and
/// `n`.
std::string operatorErrors(const std::string &methods, const std::string &statement) {
  std::string all =
      fileErrors("@triton.aggregate\nclass D:\n    x: tl.tensor\n" + methods +
                     "@triton.jit\ndef k(n):\n    d = D(n)\n    e = D(n + 1)\n    " + statement + "\n",
                 {{"n", "i32"}}, "k");
  return all.substr(0, all.find('\n'));
}

std::string method(const std::string &name, const std::string &result,
                   const std::string &parameters = "self, o") {
  return "    @triton.jit\n    def " + name + "(" + parameters + "):\n        return " + result + "\n";
}

} // namespace

TEST(AggregateOperators, TheLeftOperandsFunctionIsCalled) {
  EXPECT_EQ(
      operatorErrors(method("__add__", "D(self.x + o.x)"), "f = d + e; tl.static_assert(isinstance(f, D))"),
      "");
  EXPECT_EQ(
      operatorErrors(method("__add__", "D(self.x + o.x)"), "d += e; tl.static_assert(isinstance(d, D))"), "");
  EXPECT_EQ(operatorErrors(method("__lt__", "self.x < o.x"), "tl.static_assert((d < e).dtype == tl.int1)"),
            "");
  EXPECT_EQ(operatorErrors(method("__mul__", "D(self.x * o)"), "tl.static_assert(isinstance(d * n, D))"), "");
  EXPECT_EQ(operatorErrors(method("__matmul__", "7"), "tl.static_assert((d @ 3).dtype == tl.int32)"), "");
}

TEST(AggregateOperators, ElseTheRightOnesUnderItsReflectedName) {
  EXPECT_EQ(operatorErrors(method("__radd__", "D(self.x + o)"), "tl.static_assert(isinstance(n + d, D))"),
            "");
  EXPECT_EQ(operatorErrors(method("__radd__", "D(self.x + o)"), "tl.static_assert(isinstance(2 + d, D))"),
            "");
  EXPECT_EQ(operatorErrors(method("__gt__", "self.x > o"), "tl.static_assert((n < d).dtype == tl.int1)"), "");
  const std::string declines =
      "    @triton.constexpr_function\n    def __sub__(self, o):\n        return NotImplemented\n";
  EXPECT_EQ(operatorErrors(declines + method("__rsub__", "D(o.x)"), "tl.static_assert(isinstance(d - e, D))"),
            "");
}

TEST(AggregateOperators, OfOneOperandAndOfTruths) {
  EXPECT_EQ(operatorErrors(method("__neg__", "D(-self.x)", "self"), "tl.static_assert(isinstance(-d, D))"),
            "");
  EXPECT_EQ(
      operatorErrors(method("__invert__", "~self.x", "self"), "tl.static_assert((~d).dtype == tl.int32)"),
      "");
  EXPECT_EQ(
      operatorErrors(method("__not__", "self.x == 0", "self"), "tl.static_assert((not d).dtype == tl.int1)"),
      "");
  EXPECT_EQ(
      operatorErrors(method("logical_and", "D(self.x & o.x)"), "tl.static_assert(isinstance(d and e, D))"),
      "");
  EXPECT_EQ(
      operatorErrors(method("logical_or", "D(self.x | o.x)"), "tl.static_assert(isinstance(d or e or d, D))"),
      "");
}

TEST(AggregateOperators, WhatNoClassDefinesIsRefused) {
  EXPECT_EQ(operatorErrors("", "d + e"), "8:5-10: `+` is not defined for `D` and `D`");
  EXPECT_EQ(operatorErrors("", "n + d"), "8:5-10: `+` is not defined for int32 and `D`");
  EXPECT_EQ(operatorErrors("", "d < 1"), "8:5-10: `<` is not defined for `D` and int");
  EXPECT_EQ(operatorErrors("", "-d"), "8:5-7: `-` is not defined for `D`");
  EXPECT_EQ(operatorErrors("", "d and e"), "8:5-12: `and` is not defined for `D` and `D`");
}

TEST(Aggregates, FieldsAreReplacedByTheirNames) {
  EXPECT_EQ(errors(twoFields, "a = tl.aggregate_replace(A(n, 4), S=8); tl.static_assert(a.S == 8)"), "");
  EXPECT_EQ(errors(twoFields, "a = tl.aggregate_replace(A(n, 4), x=n + 1); tl.static_assert(a.S == 4)"), "");
  EXPECT_EQ(errors(twoFields, "tl.aggregate_replace(A(n, 4), y=1)"), "8:35-38: `A` has no field `y`");
  EXPECT_EQ(errors(twoFields, "tl.aggregate_replace(A(n, 4), S=n)"),
            "8:35-38: expected tl.constexpr for the field `S` of `A`, found int32");
  EXPECT_EQ(errors(twoFields, "tl.aggregate_replace((n, 4), S=1)"),
            "8:26-32: `tl.aggregate_replace`: expected a value of an aggregate, found tuple");
}
