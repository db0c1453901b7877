#include "test/compiler/plan/PlanModel.h"

#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/SharedLayout.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <array>

using namespace tegula;
using namespace tegula::testing;

namespace {

/// Describes how an operand is read: the shapes of the tile and the instruction, and the grid of warps.
struct Operand {
  unsigned index;
  std::array<int32_t, 2> shape;
  MatrixShape instruction;
  WarpGrid warps;
  unsigned elementBytes;

  LinearLayout layout() const { return matrixOperand(index, shape, instruction, warps, elementBytes); }
  unsigned threadBits() const { return LaneBits + unsigned(std::bit_width(unsigned(warps.m * warps.n)) - 1); }
};

/// Pointers as `distribute` lays them out: 16 bytes a thread along axis `fast`.
LinearLayout copies(const Operand &operand, unsigned fast, int32_t vector) {
  std::array<int32_t, 2> each{1, 1}, lanes{1, 1}, warps{1, 1};
  each[fast] = std::min(vector, operand.shape[fast]);
  lanes[fast] = std::min(32, operand.shape[fast] / each[fast]);
  lanes[1 - fast] = 32 / lanes[fast];
  warps[1 - fast] = operand.warps.m * operand.warps.n;
  return blocked(operand.shape, each, lanes, warps, std::array{fast, 1 - fast});
}

/// The map for copies along axis `fast` and the operand, checked on the model of a block.
struct Meeting {
  SharedAccess copy, load;
};

Meeting meet(const Operand &operand, unsigned fast) {
  LinearLayout from = copies(operand, fast, int32_t(16 / operand.elementBytes)), to = operand.layout();
  LinearLayout memory = chooseSharedLayout({from, SharedAccessKind::AsyncCopy, 16, fast},
                                           {to, SharedAccessKind::Matrices}, operand.elementBytes);
  EXPECT_TRUE(memory.isInvertible());
  std::array<unsigned, 2> contiguous{1, 1};
  contiguous[fast] = unsigned(operand.shape[fast]);
  AccessPlan global;
  Meeting meeting;
  unsigned bits = operand.threadBits(), bytes = operand.elementBytes;
  meeting.copy = planCopy(memory, from, contiguous, bits, bytes, global);
  meeting.load = planSharedAccess(memory, to, {}, bits, bytes, SharedMove::LoadMatrices);
  EXPECT_EQ(meeting.copy.elements * bytes, 16u);
  EXPECT_EQ(bankConflicts(meeting.copy, bits, bytes, true), 0u) << memory.toString();
  EXPECT_EQ(bankConflicts(meeting.load, bits, bytes, false), 0u) << memory.toString();
  std::optional<Memory> stored =
      store(meeting.copy, blockOf(from, bits), bytes, bytes << memory.totalInBits());
  EXPECT_TRUE(stored);
  if (stored) {
    std::optional<Block> found = load(meeting.load, *stored, size_t(1) << bits, bytes);
    EXPECT_TRUE(found && *found == blockOf(to, bits)) << memory.toString();
  }
  return meeting;
}

} // namespace

TEST(RoundTripPlan, HalfOperandsAreReadAsMatricesEitherWay) {
  for (unsigned index : {0u, 1u})
    for (WarpGrid warps : {WarpGrid{1, 1, 1}, WarpGrid{1, 2, 2}, WarpGrid{1, 4, 1}, WarpGrid{1, 2, 4}})
      for (std::array<int32_t, 2> shape :
           {std::array{64, 64}, std::array{128, 32}, std::array{32, 128}, std::array{64, 256}}) {
        Operand operand{index, shape, {16, 8, 16}, warps, 2};
        unsigned alongK = index == 0 ? 1 : 0;
        Meeting plain = meet(operand, alongK), transposed = meet(operand, 1 - alongK);
        EXPECT_EQ(plain.load.kind, SharedAccess::Matrices);
        EXPECT_EQ(plain.load.elements, 8u);
        EXPECT_EQ(transposed.load.kind, SharedAccess::TransposedMatrices);
        EXPECT_EQ(transposed.load.elements, 8u);
      }
}

TEST(RoundTripPlan, NarrowTilesHaveNoConflictsEither) {
  // Rows of 32 bytes: four of them share the 128 bytes of a wavefront.
  meet({0, {128, 16}, {16, 8, 16}, {1, 2, 2}, 2}, 1);
  meet({1, {16, 128}, {16, 8, 16}, {1, 2, 2}, 2}, 0);
  meet({1, {16, 64}, {16, 8, 16}, {1, 1, 2}, 2}, 1);
}

TEST(RoundTripPlan, BytesAreReadAsMatricesAlongK) {
  for (unsigned index : {0u, 1u}) {
    Operand operand{index, {64, 128}, {16, 8, 32}, {1, 2, 2}, 1};
    unsigned alongK = index == 0 ? 1 : 0;
    EXPECT_EQ(meet(operand, alongK).load.kind, SharedAccess::Matrices);
    // Words have neighbours along K, which is not contiguous: no instruction puts them together.
    Meeting across = meet(operand, 1 - alongK);
    EXPECT_EQ(across.load.kind, SharedAccess::Vectors);
    EXPECT_EQ(across.load.elements, 1u);
  }
}

TEST(RoundTripPlan, WordsAreReadAsMatricesAlongK) {
  for (unsigned index : {0u, 1u}) {
    Operand operand{index, {64, 128}, {16, 8, 8}, {1, 2, 2}, 4};
    unsigned alongK = index == 0 ? 1 : 0;
    Meeting plain = meet(operand, alongK);
    EXPECT_EQ(plain.load.kind, SharedAccess::Matrices);
    EXPECT_EQ(plain.load.elements, 4u);
    EXPECT_EQ(meet(operand, 1 - alongK).load.kind, SharedAccess::Vectors);
  }
}

TEST(RoundTripPlan, DoublesHaveNoConflicts) {
  for (unsigned index : {0u, 1u})
    for (unsigned fast : {0u, 1u})
      EXPECT_EQ(meet({index, {64, 32}, {8, 8, 4}, {1, 2, 2}, 8}, fast).load.kind, SharedAccess::Vectors);
}

TEST(RoundTripPlan, CopiesAndTheirReadersAgreeWhateverTheOrder) {
  std::mt19937_64 random(9);
  for (unsigned i = 0; i < 1000; ++i) {
    unsigned bytes = 1u << pick(random, 4), fast = pick(random, 2);
    WarpGrid warps{1, 1 << pick(random, 3), 1 << pick(random, 2)};
    std::array<int32_t, 2> shape{16 << pick(random, 3), 16 << pick(random, 3)};
    MatrixShape instruction{16, 8, bytes == 8 ? 4 : int32_t(32 / bytes)};
    Operand operand{pick(random, 2), shape, instruction, warps, bytes};
    unsigned bits = operand.threadBits(), copied = std::max(bytes, 4u << pick(random, 3));
    LinearLayout from = copies(operand, fast, int32_t(copied / bytes)), to = operand.layout();
    SharedMove move = pick(random, 2) ? SharedMove::LoadMatrices : SharedMove::Vectors;
    LinearLayout memory = chooseSharedLayout(
        {from, SharedAccessKind::AsyncCopy, copied, fast},
        {to, move == SharedMove::Vectors ? SharedAccessKind::Vectors : SharedAccessKind::Matrices}, bytes);
    std::array<unsigned, 2> contiguous{1, 1};
    contiguous[fast] = copied / bytes;
    AccessPlan global;
    SharedAccess copy = planCopy(memory, from, contiguous, bits, bytes, global);
    ASSERT_EQ(copy.elements * bytes, copyBytesInto(memory, from, fast, bytes, copied));
    ASSERT_EQ(copy.elements * bytes, copied) << "case " << i << ": " << memory.toString();
    SharedAccess access = planSharedAccess(memory, to, {}, bits, bytes, move);
    std::optional<Memory> stored = store(copy, blockOf(from, bits), bytes, bytes << memory.totalInBits());
    ASSERT_TRUE(stored);
    ASSERT_EQ(load(access, *stored, size_t(1) << bits, bytes), blockOf(to, bits)) << memory.toString();
    EXPECT_EQ(bankConflicts(copy, bits, bytes, true), 0u) << "case " << i << ": " << memory.toString();
    EXPECT_EQ(bankConflicts(access, bits, bytes, false), 0u)
        << "case " << i << ", " << bytes << " bytes: " << from.toString() << " to " << to.toString() << " by "
        << memory.toString();
  }
}

/// `access` at the position `number`.
static SharedAccess movedTo(SharedAccess access, uint32_t number) {
  for (uint32_t &offset : access.offsets)
    offset ^= sumOf(access.positionOffsets, number);
  return access;
}

TEST(RoundTripPlan, PartsOfABufferAreReadWhereTheyBegin) {
  Operand whole{0, {64, 64}, {16, 8, 16}, {1, 2, 1}, 2}, step{0, {64, 16}, {16, 8, 16}, {1, 2, 1}, 2};
  LinearLayout from = copies(whole, 1, 8);
  LinearLayout memory = chooseSharedLayout({from, SharedAccessKind::AsyncCopy},
                                           {whole.layout(), SharedAccessKind::Matrices}, 2);
  AccessPlan global;
  SharedAccess copy = planCopy(memory, from, std::array{1u, 64u}, whole.threadBits(), 2, global);
  std::optional<Memory> stored = store(copy, blockOf(from, whole.threadBits()), 2, 64 * 64 * 2);
  ASSERT_TRUE(stored);
  for (int32_t k = 0; k < 64; k += 16) {
    SharedAccess access = planSharedAccess(memory, step.layout(), {std::array{0, k}}, step.threadBits(), 2,
                                           SharedMove::LoadMatrices);
    EXPECT_EQ(access.kind, SharedAccess::Matrices);
    EXPECT_EQ(bankConflicts(access, step.threadBits(), 2, false), 0u);
    Block expected = blockOf(step.layout(), step.threadBits());
    // Positions of the part, packed as those of the whole: dim0 has the low six bits.
    for (std::vector<uint64_t> &registers : expected)
      for (uint64_t &position : registers)
        position |= uint64_t(k) << 6;
    EXPECT_EQ(load(access, *stored, expected.size(), 2), expected);
    // Likewise where it is known at run time that it is this one.
    SharedAccess moved = planSharedAccess(memory, step.layout(), {.axis = 1, .stride = 16}, step.threadBits(),
                                          2, SharedMove::LoadMatrices);
    EXPECT_EQ(moved.kind, SharedAccess::Matrices);
    EXPECT_EQ(load(movedTo(moved, uint32_t(k) / 16), *stored, expected.size(), 2), expected);
  }
}

TEST(RoundTripPlan, PartsAtAPositionOfRunTimeAreThoseAtTheSameOneKnown) {
  std::mt19937_64 random(10);
  unsigned wide = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    unsigned bytes = 1u << pick(random, 4);
    LinearLayout memory = randomInvertible(random, {{Dim::Offset, 10}}, {{Dim::Dim0, 5}, {Dim::Dim1, 5}});
    if (pick(random, 2)) // and one as they are in practice
      memory = chooseSharedLayout({blocked(std::array{32, 32}, std::array{1, 4}, std::array{4, 8},
                                           std::array{1, 1}, std::array{1u, 0u})},
                                  {blocked(std::array{32, 32}, std::array{4, 1}, std::array{8, 4},
                                           std::array{1, 1}, std::array{0u, 1u})},
                                  bytes);
    unsigned axis = pick(random, 2), sideBits = pick(random, 4),
             strideBits = sideBits + pick(random, 6 - sideBits);
    LinearLayout part = randomPlacement(
        random, {{Dim::Dim0, axis == 0 ? sideBits : 5}, {Dim::Dim1, axis == 1 ? sideBits : 5}}, LaneBits);
    std::array<int32_t, 2> start{0, 0};
    start[axis] = int32_t(pick(random, 1u << (strideBits - sideBits)) << sideBits);
    const int32_t stride = 1 << strideBits;
    SharedAccess access =
        planSharedAccess(memory, part, {start, axis, stride}, LaneBits, bytes, SharedMove::LoadMatrices);
    wide += access.elements > 1;
    // The tensor of positions as it lies in memory.
    Memory stored;
    for (uint32_t offset = 0; offset < 1u << 10; ++offset)
      stored[offset * bytes] = memory.applyPacked(offset);
    for (uint32_t number = 0; number < 32u / unsigned(stride); ++number) {
      Block expected = blockOf(part, LaneBits);
      for (std::vector<uint64_t> &registers : expected)
        for (uint64_t &position : registers) {
          uint64_t sides[2] = {uint64_t(part.unpackOut(position, Dim::Dim0)),
                               uint64_t(part.unpackOut(position, Dim::Dim1))};
          sides[axis] += uint64_t(start[axis]) + number * uint64_t(stride);
          position = sides[0] | sides[1] << 5;
        }
      ASSERT_EQ(load(movedTo(access, number), stored, expected.size(), bytes), expected)
          << "case " << i << ", position " << number << ": " << memory.toString() << " " << part.toString();
    }
  }
  EXPECT_GT(wide, 30u);
}

TEST(RoundTripPlan, ResultsOfADotAreStoredAsMatrices) {
  // The epilogue of a matmul: sums as fp16 to rows of 16 bytes a thread.
  LinearLayout from = matrixResult(std::array{16, 128}, {16, 8, 16}, {1, 1, 4});
  LinearLayout to =
      blocked(std::array{16, 128}, std::array{1, 8}, std::array{2, 16}, std::array{4, 1}, std::array{1u, 0u});
  RoundTripPlan plan = planRoundTrip(from, to, LaneBits + 2, 2, {.load = false, .store = true});
  EXPECT_EQ(plan.store.kind, SharedAccess::Matrices);
  EXPECT_EQ(plan.store.elements, 8u);
  EXPECT_EQ(plan.load.kind, SharedAccess::Vectors);
  EXPECT_EQ(plan.load.elements, 8u);
  EXPECT_EQ(bankConflicts(plan.store, LaneBits + 2, 2, true), 0u);
  EXPECT_EQ(bankConflicts(plan.load, LaneBits + 2, 2, false), 0u);
  EXPECT_EQ(throughShared(plan, blockOf(from, LaneBits + 2), 2), blockOf(to, LaneBits + 2));
  // Without the instruction they have two neighbours and rows eight apart in common.
  plan = planRoundTrip(from, to, LaneBits + 2, 2, {.load = false, .store = false});
  EXPECT_EQ(plan.store.kind, SharedAccess::Vectors);
  EXPECT_EQ(plan.store.elements * plan.load.elements, 32u);
  EXPECT_EQ(bankConflicts(plan.store, LaneBits + 2, 2, true), 0u);
  EXPECT_EQ(throughShared(plan, blockOf(from, LaneBits + 2), 2), blockOf(to, LaneBits + 2));
}

TEST(RoundTripPlan, FragmentsAndRowsMeetWithoutConflicts) {
  std::mt19937_64 random(7);
  unsigned matrices = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    unsigned bytes = 1u << pick(random, 3);
    WarpGrid warps{1, 1 << pick(random, 3), 1 << pick(random, 2)};
    std::array<int32_t, 2> shape{16 << pick(random, 4), 16 << pick(random, 4)};
    Operand operand{pick(random, 2), shape, {16, 8, int32_t(32 / bytes)}, warps, bytes};
    unsigned fast = pick(random, 2), bits = operand.threadBits();
    LinearLayout rows = copies(operand, fast, 1 << pick(random, 5 - unsigned(std::bit_width(bytes) - 1)));
    bool stores = pick(random, 2), loads = pick(random, 4);
    LinearLayout from = pick(random, 2) ? rows : operand.layout(),
                 to = from == rows ? operand.layout() : rows;
    RoundTripPlan plan = planRoundTrip(from, to, bits, bytes, {loads, stores});
    ASSERT_EQ(throughShared(plan, blockOf(from, bits), bytes), blockOf(to, bits))
        << "case " << i << ": " << from.toString() << " to " << to.toString();
    EXPECT_EQ(bankConflicts(plan.store, bits, bytes, true), 0u)
        << "case " << i << ", " << bytes << " bytes: " << from.toString() << " to " << to.toString();
    EXPECT_EQ(bankConflicts(plan.load, bits, bytes, false), 0u)
        << "case " << i << ", " << bytes << " bytes: " << from.toString() << " to " << to.toString();
    matrices += plan.load.kind != SharedAccess::Vectors || plan.store.kind != SharedAccess::Vectors;
  }
  EXPECT_GT(matrices, 100u);
}

TEST(RoundTripPlan, WavefrontsAreCountedAsTheModelCountsThem) {
  std::mt19937_64 random(8);
  for (unsigned i = 0; i < 500; ++i) {
    unsigned bytes = 1u << pick(random, 4), bits = 10;
    LinearLayout memory = randomInvertible(random, {{Dim::Offset, bits}}, {{Dim::Dim0, 5}, {Dim::Dim1, 5}});
    LinearLayout layout =
        randomInvertible(random, {{Dim::Register, 5}, {Dim::Lane, 5}}, {{Dim::Dim0, 5}, {Dim::Dim1, 5}});
    SharedAccess access = planSharedAccess(memory, layout, {}, LaneBits, bytes, SharedMove::LoadMatrices);
    unsigned unit = std::max(access.elements * bytes, 4u);
    if (access.kind == SharedAccess::Vectors) {
      EXPECT_EQ(wavefrontsOf(access, bytes), unit / 4 * (bankConflicts(access, LaneBits, bytes, false) + 1));
    }
    // Whatever the maps, the access is right.
    SharedAccess writer = planSharedAccess(memory, layout, {}, LaneBits, bytes, SharedMove::StoreMatrices);
    std::optional<Memory> stored = store(writer, blockOf(layout, LaneBits), bytes, bytes << bits);
    ASSERT_TRUE(stored);
    ASSERT_EQ(load(access, *stored, 32, bytes), blockOf(layout, LaneBits));
  }
}
