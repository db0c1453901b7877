#include "tools/tegula/arguments/Arguments.h"
#include "compiler/spec/ValueText.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Suggest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::cli;

namespace {

/// The error of an argument, or what was parsed.
std::string errorOf(const std::string &text) {
  auto parsed = parseArgument(text);
  return parsed ? "parsed" : parsed.error().text;
}
ArrayArgument array(const std::string &text) {
  auto parsed = parseArgument(text);
  EXPECT_TRUE(parsed) << parsed.error().text;
  return parsed ? std::get<ArrayArgument>(parsed->value) : ArrayArgument();
}
HostValue scalar(const std::string &text) {
  auto parsed = parseArgument(text);
  EXPECT_TRUE(parsed) << parsed.error().text;
  return parsed ? std::get<HostValue>(parsed->value) : HostValue();
}

TEST(Arguments, Scalars) {
  EXPECT_EQ(scalar("n=1000").kind, HostValue::Int);
  EXPECT_EQ(scalar("n=1000").bits, 1000u);
  EXPECT_EQ(int64_t(scalar("n=-7").bits), -7);
  EXPECT_EQ(scalar("n=0x10").bits, 16u);
  EXPECT_EQ(scalar("n=1_000_003").bits, 1000003u);
  EXPECT_EQ(scalar("n=18446744073709551615").kind, HostValue::UInt);
  EXPECT_EQ(int64_t(scalar("n=-9223372036854775808").bits), INT64_MIN);
  EXPECT_EQ(scalar("eps=1e-5").asDouble(), 1e-5);
  EXPECT_EQ(scalar("eps=-inf").asDouble(), -INFINITY);
  EXPECT_TRUE(std::isnan(scalar("eps=nan").asDouble()));
  EXPECT_EQ(scalar("flag=True").kind, HostValue::Bool);
  EXPECT_EQ(scalar("flag=false").bits, 0u);
  EXPECT_EQ(scalar("p=None").kind, HostValue::None);
  EXPECT_EQ(*scalar("n=1000:i64").type, ScalarKind::Int64);
  EXPECT_EQ(scalar("x=2:fp16").kind, HostValue::Float);
  EXPECT_EQ(scalar("x=2:fp16").asDouble(), 2.0);
}

TEST(Arguments, DescriptorsOfArrays) {
  auto blocks = [](const std::string &text) { return *parseArgument(text)->blocks; };
  EXPECT_EQ(blocks("x=randn:fp16[512,256]/[64,32]"), (bound::Descriptor{{64, 32}, false}));
  EXPECT_EQ(blocks("x=@a/[b]/in.npy:bf16+1/[16]:nan"), (bound::Descriptor{{16}, true}));
  EXPECT_EQ(blocks("x=zeros:i8[64]/[ 16 ]:zero"), (bound::Descriptor{{16}, false}));
  EXPECT_EQ(array("x=@a/[b]/in.npy:bf16+1/[16]").path, "a/[b]/in.npy");
  EXPECT_FALSE(parseArgument("x=randn:fp16[512,256]")->blocks);
  EXPECT_EQ(errorOf("x=zeros:i8[64]/[]"), "argument `x`: expected blocks of 1 to 5 dimensions, found `[]`");
  EXPECT_EQ(errorOf("x=zeros:i8[64]/[1,1,1,1,1,16]"),
            "argument `x`: expected blocks of 1 to 5 dimensions, found `[1,1,1,1,1,16]`");
  EXPECT_EQ(errorOf("x=zeros:i8[64]/[a]"), "argument `x`: expected a side of the shape, found `a`");
  EXPECT_EQ(errorOf("x=64/[16]"), "argument `x`: expected an array before `/[`, found `64`");
}

TEST(Arguments, Arrays) {
  EXPECT_EQ(array("x=randn:fp32[1000]").source, ArrayArgument::Randn);
  EXPECT_EQ(*array("x=rand:bf16[64,32]").type, ScalarKind::BFloat16);
  EXPECT_EQ(*array("x=randn:fp8e4nv[64,64]").type, ScalarKind::Float8E4M3);
  EXPECT_EQ(*array("x=@in.npy:fp8e5").type, ScalarKind::Float8E5M2);
  EXPECT_EQ(array("x=rand:bf16[64,32]").shape, (std::vector<int64_t>{64, 32}));
  const ArrayArgument integers = array("x=randint(-3, 9):i32[8]");
  EXPECT_EQ(int64_t(integers.first.bits), -3);
  EXPECT_EQ(integers.second.bits, 9u);
  EXPECT_EQ(array("x=full(1.5):fp16[2]").first.asDouble(), 1.5);
  EXPECT_EQ(array("x=zeros:u8[]").shape.size(), 0u);
  EXPECT_EQ(array("x=empty:i64[0]").shape, std::vector<int64_t>{0});
  EXPECT_EQ(array("x=arange:i8[128]+3").offset, 3u);
  EXPECT_EQ(array("x=@in.npy").path, "in.npy");
  EXPECT_FALSE(array("x=@in.npy").type);
  EXPECT_EQ(array("x=@c:/in.npy:bf16").path, "c:/in.npy");
  EXPECT_EQ(*array("x=@c:/in.npy:bf16").type, ScalarKind::BFloat16);
  EXPECT_EQ(array("x=@c:/in.npy").path, "c:/in.npy");
}

TEST(Arguments, Errors) {
  EXPECT_EQ(errorOf("x"), "expected NAME=VALUE after `--arg`, found `x`");
  EXPECT_EQ(errorOf("=1"), "expected NAME=VALUE after `--arg`, found `=1`");
  EXPECT_EQ(errorOf("x="), "argument `x`: expected a number, found ``");
  EXPECT_EQ(errorOf("x=12q"), "argument `x`: expected a number, found `12q`");
  EXPECT_EQ(errorOf("x=0x1p3"), "argument `x`: expected a number, found `0x1p3`");
  EXPECT_EQ(errorOf("x=99999999999999999999"),
            "argument `x`: the integer 99999999999999999999 does not fit 64 bits");
  EXPECT_EQ(errorOf("x=300:i8"), "argument `x`: 300 does not fit i8");
  EXPECT_EQ(errorOf("x=1.5:i32"), "argument `x`: 1.5 does not fit i32");
  EXPECT_TRUE(errorOf("x=1:i33").starts_with("argument `x`: unknown type `i33`: expected one of `i1`, "));
  EXPECT_EQ(errorOf("x=none:i32"), "argument `x`: `none` has no type, found `none:i32`");
  EXPECT_EQ(
      errorOf("x=randm:fp32[8]"),
      "argument `x`: expected a number, @FILE.npy or one of true, false, none, rand, randn, randint, zeros, "
      "full, arange, empty, pads, rank, world, found `randm`; did you mean `rand`?");
  EXPECT_EQ(errorOf("x=randn"), "argument `x`: expected a type and a shape such as :fp32[1000] in `randn`");
  EXPECT_TRUE(errorOf("x=randn:fp33[8]").ends_with("; did you mean `fp32`?"));
  EXPECT_EQ(errorOf("x=randn:fp32"),
            "argument `x`: expected a shape such as [1000] at the end of `randn:fp32`");
  EXPECT_EQ(errorOf("x=randn:fp32[8"),
            "argument `x`: expected a shape such as [1000] at the end of `randn:fp32[8`");
  EXPECT_EQ(errorOf("x=randn:fp32[a]"), "argument `x`: expected a side of the shape, found `a`");
  EXPECT_EQ(errorOf("x=randn:fp32[-1]"), "argument `x`: expected a side of the shape, found `-1`");
  EXPECT_EQ(errorOf("x=randn:fp32[1000000000000,10]"),
            "argument `x`: expected at most 1099511627776 elements, found the shape [1000000000000,10]");
  EXPECT_EQ(errorOf("x=randn:fp32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"),
            "argument `x`: expected at most 32 sides of a shape");
  EXPECT_EQ(errorOf("x=randn:fp32[8]x"),
            "argument `x`: expected `+` and a number of elements after the shape, found `x`");
  EXPECT_EQ(errorOf("x=randn:fp32[8]+9"), "argument `x`: element 9 is outside the shape [8]");
  EXPECT_EQ(errorOf("x=randint(0:i32[8]"), "argument `x`: expected `)` in `randint(0:i32[8]`");
  EXPECT_EQ(errorOf("x=randint(0):i32[8]"), "argument `x`: expected 2 operands of `randint`, found 1");
  EXPECT_EQ(errorOf("x=full:i32[8]"), "argument `x`: expected 1 operand of `full`, found 0");
  EXPECT_EQ(errorOf("x=randint(0,1.5):i32[8]"), "argument `x`: expected whole numbers in `randint`");
  EXPECT_EQ(errorOf("x=randint(5,1):i32[8]"),
            "argument `x`: expected the lower end first in `randint`, both ends in the range of i64");
  EXPECT_EQ(errorOf("x=randint(0,300):i8[8]"), "argument `x`: 300 does not fit i8");
  EXPECT_EQ(errorOf("x=randn:i32[8]"), "argument `x`: `randn` makes floats, found the type i32");
  EXPECT_EQ(errorOf("x=full(1.5):i32[8]"), "argument `x`: the value of `full` does not fit i32");
  EXPECT_EQ(errorOf("x=arange:i8[129]"), "argument `x`: `arange` to 128 does not fit i8");
  EXPECT_EQ(errorOf("x=@"), "argument `x`: expected a path after `@`");
  EXPECT_TRUE(errorOf("x=@in.npy:fp9").starts_with("argument `x`: unknown type `fp9`: "));
  EXPECT_TRUE(errorOf("x=ones:fp32[8]").ends_with("; did you mean `full(1)`?"));
  EXPECT_EQ(errorOf("x=@in.npy+"),
            "argument `x`: expected `+` and a number of elements after the file, found `+`");
  EXPECT_EQ(errorOf("x=@in.npy:bf16+1x"),
            "argument `x`: expected `+` and a number of elements after the file, found `+1x`");
}

TEST(Values, Constexprs) {
  auto value = [](const char *text) {
    auto parsed = parseConstexpr(text);
    EXPECT_TRUE(parsed) << parsed.error().text;
    return parsed ? parsed->value : decltype(BoundValue::value)();
  };
  EXPECT_EQ(std::get<int64_t>(value("1024")), 1024);
  EXPECT_EQ(std::get<uint64_t>(value("18446744073709551615")), UINT64_MAX);
  EXPECT_EQ(std::get<double>(value("0.5")), 0.5);
  EXPECT_EQ(std::get<bool>(value("True")), true);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(value("None")));
  EXPECT_EQ(std::get<bound::Dtype>(value("fp32")).scalar, ScalarKind::Float32);
  EXPECT_EQ(std::get<bound::Dtype>(value("tl.bfloat16")).scalar, ScalarKind::BFloat16);
  EXPECT_EQ(std::get<bound::Dtype>(value("tl.float8e4nv")).scalar, ScalarKind::Float8E4M3);
  EXPECT_EQ(std::get<std::string>(value("leaky_relu")), "leaky_relu");
  EXPECT_EQ(std::get<std::string>(value("'12'")), "12");
  EXPECT_EQ(std::get<std::string>(value("'3xtf32'")), "3xtf32");
  const auto tuple = std::get<bound::Tuple>(value("(1, (2, x), 'a')")).items;
  ASSERT_EQ(tuple.size(), 3u);
  EXPECT_EQ(std::get<bound::Tuple>(tuple[1].value).items.size(), 2u);
  EXPECT_EQ(std::get<bound::Tuple>(value("(1,)")).items.size(), 1u);
  EXPECT_EQ(std::get<bound::Tuple>(value("()")).items.size(), 0u);
}

TEST(Values, ConstexprsAreReadAsTheyAreWritten) {
  const std::vector<BoundValue> values = {
      {int64_t(-3)},
      {uint64_t(UINT64_MAX)},
      {true},
      {std::monostate()},
      {0.5},
      {2.0},
      {-0.0},
      {1e30},
      {std::numeric_limits<double>::infinity()},
      {std::string("ieee")},
      {bound::Dtype{ScalarKind::BFloat16}},
      {bound::Tuple{{{int64_t(1)}, {1.0}, {bound::Tuple{{{std::string("a")}}}}}}},
  };
  for (const BoundValue &value : values) {
    const auto parsed = parseConstexpr(valueText(value));
    ASSERT_TRUE(parsed) << valueText(value) << ": " << parsed.error().text;
    EXPECT_EQ(parsed->value, value.value) << valueText(value);
  }
  EXPECT_EQ(valueText({2.0}), "2.0");
  EXPECT_EQ(valueText({bound::Tuple{{{int64_t(1)}}, {"x"}, "Point"}}), "Point(x=1)");
  EXPECT_EQ(valueText({bound::Tuple{{{int64_t(1)}, {int64_t(2)}}}}), "(1, 2)");
}

TEST(Arguments, TuplesHoldValuesByTheNamesOfTheirParameters) {
  const auto plain = parseArgument("t=(randint(0,9):i32[8], (3, none), zeros:fp16[8,8]/[8,8])");
  ASSERT_TRUE(plain) << plain.error().text;
  const auto &tuple = std::get<TupleArgument>(plain->value);
  ASSERT_EQ(tuple.items.size(), 3u);
  EXPECT_EQ(tuple.items[0].name, "t[0]");
  EXPECT_EQ(std::get<TupleArgument>(tuple.items[1].value).items[1].name, "t[1][1]");
  EXPECT_TRUE(tuple.items[2].blocks);
  const auto named = parseArgument("p=Point(x=@in.npy, n=3:i64)");
  ASSERT_TRUE(named) << named.error().text;
  EXPECT_EQ(std::get<TupleArgument>(named->value).type, "Point");
  EXPECT_EQ(std::get<TupleArgument>(named->value).fields, (std::vector<std::string>{"x", "n"}));
  auto error = [](const char *text) {
    auto parsed = parseArgument(text);
    return parsed ? "parsed" : parsed.error().text;
  };
  EXPECT_EQ(error("t=(1"), "argument `t`: expected a tuple such as `(zeros:fp32[8], 3)`, found `(1`");
  EXPECT_EQ(error("t=(1, x)").substr(0, 16), "argument `t[1]`:");
  EXPECT_EQ(error("p=Point(1)"),
            "argument `p`: expected a name and a value such as `x=3` in `Point`, found `1`");
  EXPECT_EQ(error(("t=" + std::string(17, '(') + "1" + std::string(17, ')')).c_str()).substr(0, 9),
            "argument ");
}

TEST(Values, ConstexprErrors) {
  auto error = [](const std::string &text) {
    auto parsed = parseConstexpr(text);
    return parsed ? "parsed" : parsed.error().text;
  };
  EXPECT_EQ(error(""), "expected a value after `=`");
  EXPECT_EQ(error("99999999999999999999"), "the integer 99999999999999999999 does not fit 64 bits");
  EXPECT_EQ(error("(1"), "expected a tuple such as (1, 2), found `(1`");
  EXPECT_EQ(error("[1"), "expected a tuple such as (1, 2), found `[1`");
  EXPECT_EQ(error("[1, 2]"), "expected a tuple such as (1, 2), found `[1, 2]`");
  EXPECT_EQ(error("1)"), "expected a number, found `1)`");
  EXPECT_EQ(error("64x"), "expected a number, found `64x`");
  EXPECT_EQ(error("'abc"), "expected a number, found `'abc`");
  EXPECT_EQ(error(std::string(100, '(') + std::string(100, ')')), "tuples nest more than 16 deep");
}

TEST(Values, Counts) {
  EXPECT_EQ(*parseCount("12", "x"), 12u);
  for (const char *text : {"", "-1", "1x", "4294967296", "1.0"}) {
    auto parsed = parseCount(text, "--num-warps");
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().text,
              "expected a whole number for --num-warps, found `" + std::string(text) + "`");
  }
}

TEST(Suggest, OnlyNearNames) {
  const std::vector<std::string> known{"x_ptr", "n_elements", "BLOCK_SIZE"};
  EXPECT_EQ(didYouMean("n_element", known), "; did you mean `n_elements`?");
  EXPECT_EQ(didYouMean("xptr", known), "; did you mean `x_ptr`?");
  EXPECT_EQ(didYouMean("zzz", known), "");
  EXPECT_EQ(didYouMean("q", {"x", "y"}), "");
  EXPECT_EQ(didYouMean(std::string(100000, 'x'), known), "");
}

} // namespace
