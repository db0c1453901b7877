// Atomics from source to numbers: several blocks, under several schedules where the emulator runs them.
#include "runtime/api/tegula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

using namespace tegula;

namespace {

/// The device that TEGULA_DEVICE names, else the emulator under three random schedules.
const Device &device() {
  static const Device opened = Device::open(std::getenv("TEGULA_DEVICE") ? "" : "emulator:3");
  return opened;
}

/// A warp or several to a program: copies in lanes alone, and in warps.
class Atomics : public ::testing::TestWithParam<int> {
protected:
  Kernel kernel(const char *name, int block) {
    static const Program program = Program::load(std::string(TEGULA_TEST_INPUTS) + "/atomics.py");
    return program.kernel(name).constexpr_("BLOCK", block).numWarps(GetParam());
  }
};

constexpr int Programs = 6;

} // namespace

TEST_P(Atomics, CountEachValueOnce) {
  std::mt19937 random(1);
  std::vector<int32_t> values(1000), expected(16, 0);
  for (int32_t &value : values)
    ++expected[size_t(value = int32_t(random() % 16))];
  Array<int32_t> x(device(), values), counts(device(), std::vector<int32_t>(16, 0));
  kernel("count_values", 256).launch(device(), 4, x, counts, 1000);
  EXPECT_EQ(counts.download(), expected);
}

/// Returns what becomes of `old` by a change of this kind.
template <typename T> static T changedBy(const std::string &kind, T old, T value) {
  return kind == "add"   ? T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value))
         : kind == "max" ? std::max(old, value)
         : kind == "min" ? std::min(old, value)
         : kind == "and" ? T(old & value)
         : kind == "or"  ? T(old | value)
                         : T(old ^ value);
}

/// Elements inside of a program's table and outside of it, behind it and before the pointer; all at one
/// place, and each at its own; several programs of a block, and blocks without any.
TEST_P(Atomics, ChangeElementsInTablesAndInMemory) {
  std::mt19937 random(3);
  auto check = [&]<typename T, typename Place>(T, Place, const char *kind, const char *order) {
    const int before = int(random() % 40), sizes[] = {1, 7, 64, 1500, 2048, 2049, 5000};
    const int size = sizes[random() % std::size(sizes)], n = int(random() % 4000);
    std::vector<T> memory(size_t(before + size)), values(4096);
    std::vector<Place> places(4096, Place(-1));
    for (T &element : memory)
      element = T(random());
    std::vector<T> expected = memory;
    for (size_t i = 0; i < size_t(n); ++i) {
      values[i] = T(random() >> random() % 32);
      if (const int place = int(random() % size_t(before + size)) - before; place != -1) {
        places[i] = Place(place);
        T &element = expected[size_t(place + before)];
        element = changedBy(kind, element, values[i]);
      }
    }
    Array<Place> x(device(), places);
    Array<T> v(device(), values), out(device(), memory);
    kernel("change_elements", 512)
        .constexpr_("KIND", kind)
        .constexpr_("SEM", order)
        .launch(device(), 8, x, v, out, before, n);
    ASSERT_EQ(out.download(), expected) << kind << " " << order << " of " << n << " elements in " << size;
  };
  for (const char *kind : {"add", "max", "min", "and", "or", "xor"})
    for (const char *order : {"relaxed", "acq_rel"}) {
      check(int32_t(), int32_t(), kind, order);
      check(uint32_t(), int64_t(), kind, order);
      check(int64_t(), int32_t(), kind, order);
    }
}

TEST_P(Atomics, FindTheLargestAndSmallestFloat) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> reals(-5, 5);
  std::vector<float> values(700);
  for (float &value : values)
    value = reals(random);
  Array<float> x(device(), values), high(device(), std::vector<float>{-1e30f}),
      low(device(), std::vector<float>{1e30f});
  kernel("largest", 256).launch(device(), 3, x, high, low, 700);
  EXPECT_EQ(high.download().front(), *std::max_element(values.begin(), values.end()));
  EXPECT_EQ(low.download().front(), *std::min_element(values.begin(), values.end()));
}

TEST_P(Atomics, GiveEachProgramATicketOfItsOwn) {
  constexpr int Block = 512;
  Array<int32_t> next(device(), std::vector<int32_t>{0}),
      out(device(), std::vector<int32_t>(Programs * Block));
  kernel("tickets", Block).launch(device(), Programs, next, out);
  EXPECT_EQ(next.download().front(), Programs);
  std::vector<int32_t> found = out.download(), firsts;
  for (int program = 0; program < Programs; ++program) {
    firsts.push_back(found[size_t(program) * Block]);
    for (int i = 0; i < Block; ++i)
      ASSERT_EQ(found[size_t(program * Block + i)], firsts.back())
          << "program " << program << ", element " << i;
  }
  std::sort(firsts.begin(), firsts.end());
  for (int i = 0; i < Programs; ++i)
    EXPECT_EQ(firsts[size_t(i)], i);
}

TEST_P(Atomics, ExchangeElementsThatHaveCopies) {
  for (int block : {1, 4, 32, 256}) {
    Array<int32_t> slots(device(), std::vector<int32_t>(size_t(block), 0)),
        old(device(), std::vector<int32_t>(size_t(Programs * block)));
    kernel("claim", block).launch(device(), Programs, slots, old);
    std::vector<int32_t> found = old.download(), last = slots.download();
    for (int i = 0; i < block; ++i) {
      std::vector<int32_t> seen{last[size_t(i)]};
      for (int program = 0; program < Programs; ++program)
        seen.push_back(found[size_t(program) * size_t(block) + size_t(i)]);
      std::sort(seen.begin(), seen.end());
      for (int program = 0; program <= Programs; ++program)
        ASSERT_EQ(seen[size_t(program)], program) << "element " << i << " of " << block;
    }
  }
}

TEST_P(Atomics, KeepALock) {
  constexpr int Block = 128;
  std::vector<int32_t> values(Programs * Block), expected(Block, 0);
  for (size_t i = 0; i < values.size(); ++i)
    expected[i % Block] += values[i] = int32_t(i * i % 97);
  Array<int32_t> lock(device(), std::vector<int32_t>{0}), total(device(), std::vector<int32_t>(Block, 0)),
      x(device(), values);
  kernel("locked_sum", Block).launch(device(), Programs, lock, total, x);
  EXPECT_EQ(total.download(), expected);
  EXPECT_EQ(lock.download().front(), 0);
}

TEST_P(Atomics, AddEachTypeOfFloat) {
  constexpr int Block = 256;
  auto check = [&]<typename T>(T) {
    std::vector<T> values;
    std::vector<float> expected(Block, 0);
    for (int i = 0; i < Programs * Block; ++i) {
      values.push_back(T(i % 7)); // sums of few small integers, exact in every type
      expected[size_t(i % Block)] += float(i % 7);
    }
    Array<T> x(device(), values), sum(device(), std::vector<T>(Block, T(0)));
    kernel("add_rows", Block).launch(device(), Programs, x, sum);
    std::vector<T> found = sum.download();
    for (int i = 0; i < Block; ++i)
      ASSERT_EQ(float(found[size_t(i)]), expected[size_t(i)])
          << "element " << i << " of " << sizeof(T) << " bytes";
  };
  check(f16(0));
  check(bf16(0));
  check(0.0f);
  check(0.0);
  check(int32_t(0));
  check(int64_t(0));
}

TEST_P(Atomics, AddSumsOfAProductFromWhereTheyAre) {
  constexpr int Side = 64, Part = 16, K = Programs * Part;
  std::vector<f16> a, b;
  std::vector<float> expected(Side * Side, 0);
  for (int i = 0; i < Side * K; ++i) {
    a.push_back(f16(float(i % 3)));
    b.push_back(f16(float(i % 5)));
  }
  for (int m = 0; m < Side; ++m)
    for (int n = 0; n < Side; ++n)
      for (int k = 0; k < K; ++k)
        expected[size_t(m) * Side + size_t(n)] += float((m * K + k) % 3 * ((k * Side + n) % 5));
  Array<f16> x(device(), a), y(device(), b);
  Array<float> sums(device(), std::vector<float>(Side * Side, 0));
  static const Program program = Program::load(std::string(TEGULA_TEST_INPUTS) + "/atomics.py");
  program.kernel("split_k")
      .constexpr_("PART", Part)
      .constexpr_("SIDE", Side)
      .numWarps(GetParam())
      .launch(device(), Programs, x, y, sums, K);
  EXPECT_EQ(sums.download(), expected);
}

/// Returns what the emulator says of a program that hands data to five others by `flags` flags, one where
/// that is 0.
static std::string handOver(Kernel kernel, const Device &device, int flags, const char *store,
                            const char *load) {
  constexpr int Block = 256;
  Array<int32_t> data(device, std::vector<int32_t>(Block, 0)), raised(device, std::vector<int32_t>(256, 0)),
      out(device, std::vector<int32_t>(Programs * Block, 0));
  try {
    kernel.constexpr_("FLAGS", flags)
        .constexpr_("STORE", store)
        .constexpr_("LOAD", load)
        .launch(device, Programs, data, raised, out);
    device.synchronize();
  } catch (const Error &error) {
    return error.what();
  }
  std::vector<int32_t> found = out.download();
  for (int i = Block; i < Programs * Block; ++i)
    EXPECT_EQ(found[size_t(i)], Block - 1 - i % Block + 5) << i;
  return "";
}

TEST_P(Atomics, HandDataOverByStoresAndLoads) {
  for (int flags : {0, 1, 16, 256})
    EXPECT_EQ(handOver(kernel("hand_over", 256), device(), flags, "release", "acquire"), "") << flags;
}

/// Without the order, what a receiver writes races with what the program that raised the flags had written
/// there before: between programs the emulator looks at pairs of writes only, not at a write and a read.
TEST_P(Atomics, RelaxedStoresAndLoadsHandNothingOver) {
  const Device emulator = Device::open("emulator:3");
  for (int flags : {0, 256})
    for (auto [store, load] :
         {std::pair("relaxed", "acquire"), {"release", "relaxed"}, {"relaxed", "relaxed"}}) {
      const std::string said = handOver(kernel("hand_over", 256), emulator, flags, store, load);
      EXPECT_NE(said.find("race on the global"), std::string::npos)
          << flags << " flags, " << store << ", " << load << ": " << said;
      EXPECT_NE(said.find("nothing orders the blocks"), std::string::npos) << said;
    }
}

TEST_P(Atomics, StoresPrecedeLoadsOfOneProgram) {
  constexpr int Block = 256;
  Array<int32_t> x(device(), std::vector<int32_t>(Block, 0)), out(device(), std::vector<int32_t>(Block, 0));
  kernel("turn_round", Block).launch(device(), 1, x, out);
  std::vector<int32_t> found = out.download();
  for (int i = 0; i < Block; ++i)
    EXPECT_EQ(found[size_t(i)], (Block - 1 - i) * 3 + (i ^ 37) * 3 + 1) << i;
}

INSTANTIATE_TEST_SUITE_P(Warps, Atomics, ::testing::Values(1, 4));
