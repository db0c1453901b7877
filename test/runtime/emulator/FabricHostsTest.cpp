// Host programs of all ranks in one process: whose turn it is, what they are told of errors, and what they
// overwrite.
#include "runtime/emulator/Fabric.h"
#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tegula::runtime::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// p0: x of both ranks, p1: pads of both ranks, p2: rank, p3: y. Meets the other rank with the first order,
/// copies a word of its x, and meets it once more if told so.
std::string copyKernel(bool closes) {
  const auto meet = [](const std::string &label, const char *released, const char *acquired) {
    return "bar.sync 0;\n@%q0 bra D" + label + ";\nS" + label + ": atom.global." + released +
           ".sys.cas.b32 %r3, [%d3], 0, 1;\nsetp.ne.u32 %q1, %r3, 0;\n@%q1 bra S" + label + ";\nW" + label +
           ": atom.global." + acquired +
           ".sys.cas.b32 %r3, [%d4], 1, 0;\nsetp.ne.u32 %q1, %r3, 1;\n@%q1 bra W" + label + ";\nD" + label +
           ": bar.sync 0;\n";
  };
  std::string text = R"(setp.ne.u32 %q0, %r31, 0;
mul.lo.u64 %d0, %p2, 8;
xor.b64 %d1, %d0, 8;
add.s64 %d2, %p0, %d1;
ld.global.b64 %d2, [%d2];
add.s64 %d3, %p1, %d1;
ld.global.b64 %d3, [%d3];
add.s64 %d4, %p1, %d0;
ld.global.b64 %d4, [%d4];
)";
  text += meet("A", "relaxed", "acquire") + "ld.global.b32 %r4, [%d2];\nst.global.b32 [%p3], %r4;\n";
  return closes ? text + meet("B", "release", "relaxed") : text;
}

struct Outcome {
  std::string error;
  std::vector<uint32_t> y;
};

/// Each rank copies the other's x twice, and changes its own in between; `body` runs in front of that.
Outcome exchangeTwice(bool closes, uint64_t seed,
                      const std::function<Result<void>(uint32_t, Fabric &)> &body = {}) {
  Result<Fabric> made = Fabric::create();
  Fabric &fabric = *made;
  const SymmetricArray pads = *fabric.signalPads();
  std::vector<uint32_t> x(2), y(2 * 2);
  std::vector<uint64_t> addresses{reinterpret_cast<uintptr_t>(&x[0]), reinterpret_cast<uintptr_t>(&x[1])};
  const Result<void> done = fabric.run(seed, true, [&](uint32_t rank) -> Result<void> {
    if (body)
      TRY(body(rank, fabric));
    EmulatorDevice &device = fabric.device(rank);
    TRY(fabric.share(rank, 0, &x[rank], 4, false));
    TRY(fabric.meet(false));
    const DeviceAddress table = TRY(device.allocate(16)), out = TRY(device.allocate(4));
    TRY(device.copyToDevice(table, addresses.data(), 16));
    KernelImage image;
    image.entry = "k";
    image.ptx = kernel(copyKernel(closes), 4);
    image.numWarps = 1;
    image.paramBytes = 32;
    const std::unique_ptr<LoadedKernel> loaded = TRY(device.load(image));
    const std::vector<uint64_t> params{table, pads.addressTables[rank], rank, out};
    for (uint32_t turn = 0; turn < 2; ++turn) {
      x[rank] = 10 * (turn + 1) + rank;
      TRY(device.launch(*loaded, {}, std::as_bytes(std::span(params))));
      TRY(device.copyToHost(&y[rank * 2 + turn], out, 4));
    }
    return {};
  });
  return {done ? "" : done.error().text, y};
}

TEST(FabricHosts, RunTogetherWithTheirLaunches) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Outcome outcome = exchangeTwice(true, seed);
    EXPECT_EQ(outcome.error, "") << "seed " << seed;
    EXPECT_THAT(outcome.y, ElementsAre(11, 21, 10, 20));
  }
}

TEST(FabricHosts, ReportsWhatAHostOverwritesTooEarly) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_THAT(exchangeTwice(false, seed).error,
                ContainsRegex("race between ranks at rank .'s array 0, byte 0: nothing orders what rank .'s "
                              "host writes there after "
                              "rank .'s read at .*PTX line|nothing orders this read after what rank .'s host "
                              "has written there"))
        << "seed " << seed;
}

TEST(FabricHosts, ErrorsOfOneEndAllOthers) {
  std::vector<std::string> seen(2);
  const Outcome outcome = exchangeTwice(true, 0, [&](uint32_t rank, Fabric &fabric) -> Result<void> {
    if (rank == 1)
      return Error{ErrorKind::InvalidArgument, "no such file"};
    Result<void> met = fabric.meet(true);
    seen[rank] = met ? "" : met.error().text;
    return met;
  });
  EXPECT_EQ(outcome.error, "no such file");
  EXPECT_EQ(seen[0], "rank 1 has failed: no such file");
}

TEST(FabricHosts, ReportsRanksThatMissAMeeting) {
  Result<Fabric> fabric = Fabric::create();
  const Result<void> done =
      fabric->run(0, true, [&](uint32_t rank) { return rank == 0 ? fabric->meet(true) : Result<void>(); });
  ASSERT_FALSE(bool(done));
  EXPECT_EQ(done.error().text, "rank 0's host waits for all ranks, but rank 1's has ended");
}

TEST(FabricHosts, ReportsKernelsThatWaitForARankWithoutOne) {
  Result<Fabric> fabric = Fabric::create();
  const SymmetricArray pads = *fabric->signalPads();
  KernelImage image;
  image.entry = "k";
  image.ptx = kernel("W: ld.acquire.sys.global.b32 %r1, [%p0];\nsetp.eq.u32 %q1, %r1, 0;\n@%q1 bra W;\n");
  image.numWarps = 1;
  image.paramBytes = 8;
  const Result<void> done = fabric->run(0, true, [&](uint32_t rank) -> Result<void> {
    if (rank == 1)
      return {};
    EmulatorDevice &device = fabric->device(rank);
    const std::unique_ptr<LoadedKernel> loaded = TRY(device.load(image));
    TRY(device.launch(*loaded, {}, std::as_bytes(std::span(&pads.addresses[0], 1))));
    return device.synchronize();
  });
  ASSERT_FALSE(bool(done));
  EXPECT_THAT(
      done.error().text,
      ContainsRegex("deadlock.*rank 0's pad, word 0, seen 0.*rank 1 runs no kernel: its host has ended"));
}

TEST(FabricHosts, RefusesMemoryThatIsSharedTwiceAndMeetingsOfOthers) {
  Result<Fabric> fabric = Fabric::create();
  std::vector<uint32_t> x(4);
  ASSERT_TRUE(bool(fabric->share(0, 0, x.data(), 16, false)));
  EXPECT_THAT(fabric->share(1, 0, &x[1], 4, false).error().text,
              HasSubstr("rank 1 cannot share the 4 bytes at"));
  EXPECT_THAT(fabric->meet(true).error().text, HasSubstr("only the host of a rank"));
}

} // namespace
} // namespace tegula::runtime::test
