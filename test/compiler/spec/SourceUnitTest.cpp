#include "compiler/spec/SourceUnit.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

using namespace tegula;

namespace {

SourceUnit unit(NameTable names = {}) { return {"a.py", "def f(): pass", 3, std::move(names)}; }

std::string identityOf(BoundValue value) { return programIdentity({unit({{"x", std::move(value)}})}, 0); }

BoundValue host(std::string name) {
  bound::HostFunction function;
  function.name = std::move(name);
  return {std::make_shared<const bound::HostFunction>(std::move(function))};
}

} // namespace

TEST(SourceUnit, DifferentValuesHaveDifferentIdentities) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<BoundValue> values = {{},
                                    {false},
                                    {true},
                                    {int64_t(0)},
                                    {int64_t(1)},
                                    {uint64_t(1)},
                                    {0.0},
                                    {-0.0},
                                    {nan},
                                    {std::string()},
                                    {std::string("1")},
                                    {std::string("1 ")},
                                    {bound::Dtype{ScalarKind::Float32}},
                                    {bound::Dtype{ScalarKind::Float32, 1}},
                                    {bound::Tuple{}},
                                    {bound::Tuple{{{int64_t(1)}}, {}, {}}},
                                    {bound::Tuple{{{int64_t(1)}, {}}, {}, {}}},
                                    {bound::Tuple{{{bound::Tuple{{{int64_t(1)}}, {}, {}}}}, {}, {}}},
                                    {bound::Tuple{{{int64_t(1)}}, {"a"}, "P"}},
                                    {bound::Tuple{{{int64_t(1)}}, {"b"}, "P"}},
                                    {bound::Tuple{{{int64_t(1)}}, {"a"}, "Q"}},
                                    {bound::List{}},
                                    {bound::List{{{int64_t(1)}}}},
                                    {bound::Dict{}},
                                    {bound::Dict{{{"a", {int64_t(1)}}}}},
                                    {bound::Dict{{{"b", {int64_t(1)}}}}},
                                    {bound::Function{0, "f"}},
                                    {bound::Function{1, "f"}},
                                    {bound::Function{0, "g"}},
                                    {bound::Language{"math"}},
                                    {bound::Namespace{"m", {}}},
                                    {bound::Namespace{"m", {{"a", {}}}}},
                                    host("f"),
                                    host("g"),
                                    {bound::Descriptor{{64, 32}, false}},
                                    {bound::Descriptor{{64, 32}, true}},
                                    {bound::Descriptor{{64}, false}},
                                    {bound::Passed()},
                                    {bound::Unknown{"a torch.Tensor"}}};
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < values.size(); ++j) {
      const double *number = std::get_if<double>(&values[i].value);
      EXPECT_EQ(keyOf(values[i]) == keyOf(values[j]), i == j) << keyOf(values[i]);
      if (!number) // of which -0 equals 0, and a NaN not itself
        EXPECT_EQ(values[i] == values[j], i == j) << keyOf(values[i]);
    }
  std::set<std::string> identities;
  for (BoundValue &value : values) {
    EXPECT_EQ(identityOf(value), identityOf(value));
    EXPECT_TRUE(identities.insert(identityOf(value)).second) << value.value.index();
    value.isConstexpr = true;
    EXPECT_TRUE(identities.insert(identityOf(value)).second) << value.value.index();
  }
}

TEST(SourceUnit, AProgramIsItsTextsPlacesAndEntryButNotItsPaths) {
  std::vector<SourceUnit> units = {unit(), unit()};
  const std::string plain = programIdentity(units, 0);
  EXPECT_NE(programIdentity(units, 1), plain);
  units[1].path = "b.py";
  EXPECT_EQ(programIdentity(units, 0), plain);
  units[1].firstLine = 4;
  EXPECT_NE(programIdentity(units, 0), plain);
  units = {unit(), unit()};
  units[0].text += ' ';
  EXPECT_NE(programIdentity(units, 0), plain);
  units = {unit()};
  EXPECT_NE(programIdentity(units, 0), plain);
}

TEST(SourceUnit, HostFunctionsAreFoundAtAnyDepth) {
  EXPECT_FALSE(callsHost({unit(), unit({{"x", {int64_t(1)}}})}));
  EXPECT_TRUE(callsHost({unit(), unit({{"x", host("f")}})}));
  EXPECT_TRUE(callsHost({unit({{"x", {bound::Tuple{{{int64_t(1)}, host("f")}, {}, {}}}}})}));
  EXPECT_TRUE(callsHost({unit({{"x", {bound::List{{host("f")}}}}})}));
  EXPECT_TRUE(callsHost({unit({{"x", {bound::Dict{{{"a", host("f")}}}}}})}));
  EXPECT_TRUE(callsHost({unit({{"x", {bound::Namespace{"m", {{"a", host("f")}}}}}})}));
}

TEST(SourceUnit, ValuesOfAnyDepthHaveAnIdentity) {
  BoundValue deep;
  for (int i = 0; i < 10'000; ++i) {
    bound::Tuple tuple;
    tuple.items.push_back(std::move(deep));
    deep = {std::move(tuple)};
  }
  SourceUnit holding = unit();
  holding.names.emplace("x", std::move(deep));
  std::vector<SourceUnit> units;
  units.push_back(std::move(holding));
  EXPECT_FALSE(programIdentity(units, 0).empty());
  EXPECT_FALSE(callsHost(units));
}
