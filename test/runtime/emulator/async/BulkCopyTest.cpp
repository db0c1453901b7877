// Bulk copies and mbarriers: boxes of every kind, phases, and planted faults with correct twins.
#include "test/runtime/emulator/RunPtx.h"
#include "test/runtime/emulator/golden/MapForms.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace tegula::runtime::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

TEST(BulkCopy, BoxesLieAsTheManualDrawsThem) {
  const std::vector<golden::MapForm> forms = golden::mapForms();
  EXPECT_GT(forms.size(), 100u);
  for (const golden::MapForm &form : forms)
    for (const uint64_t seed : {0u, 1u}) {
      EmulatorOptions options;
      options.seed = seed;
      EmulatorDevice device(options);
      auto words = golden::copyBox(device, form);
      ASSERT_TRUE(bool(words)) << form.text() << ": " << words.error().text;
      EXPECT_EQ(*words, golden::expectedWords(form)) << form.text();
    }
}

/// A matrix of 64 rows of 64 bf16, of which 32 are there, and one that is written; 4096 bytes of shared
/// memory.
class Kernel {
public:
  explicit Kernel(uint64_t seed = 0) : run(optionsFor(seed)) {}

  /// The error of `body` under %p0, the first matrix, and %p1, the second. %d10 and %d11 are tensor maps of
  /// both with boxes of 8 rows, 1024 bytes, swizzled; %q1 says warp 0, %q2 thread 0, %r20 is 0.
  std::string launch(const std::string &body, uint32_t warps = 2) {
    KernelImage image;
    image.entry = "k";
    image.numWarps = warps;
    image.sharedBytes = 4096;
    image.sourceFile = "planted.py";
    for (const char *name : {"p0", "p1"})
      addParam(image, {name, "*bf16", ParamKind::Pointer, 8});
    for (const uint32_t base : {0u, 1u})
      addImplicitMap(image, {.base = base,
                             .element = "bf16",
                             .elementBytes = 2,
                             .axes = {{{64}, {1}, 64}, {{64}, {64}, 8}},
                             .swizzle = 128});
    const std::string prelude =
        ".loc 1 5 1\nshr.u32 %r2, %r31, 5;\nsetp.eq.u32 %q1, %r2, 0;\nsetp.eq.u32 %q2, %r31, 0;\n"
        "mov.b64 %d10, m0;\ncvta.param.u64 %d10, %d10;\nmov.b64 %d11, m1;\n"
        "cvta.param.u64 %d11, %d11;\nmov.u32 %r20, 0;\nshl.b32 %r21, %r31, 4;\n.loc 1 10 1\n";
    image.ptx = kernel(prelude + body, 2, ".file 1 \"planted.py\"\n");
    image.ptx.insert(image.ptx.find(")\n{"), ", .param .align 64 .b8 m0[128], .param .align 64 .b8 m1[128]");
    Result<std::unique_ptr<LoadedKernel>> kernel = run.device.load(image);
    if (!kernel)
      return kernel.error().text;
    const uint64_t params[] = {source, target};
    Result<void> done = run.device.launch(**kernel, {}, std::as_bytes(std::span(params)));
    return done ? "" : done.error().text;
  }

  Runner run;
  const std::vector<uint32_t> words = [] {
    std::vector<uint32_t> words(1024);
    for (uint32_t i = 0; i < words.size(); ++i)
      words[i] = i * 2654435761u;
    return words;
  }();
  const DeviceAddress source = run.upload(words), target = run.fresh(4096);

private:
  static EmulatorOptions optionsFor(uint64_t seed) {
    EmulatorOptions options;
    options.seed = seed;
    options.instructionLimit = 200000;
    return options;
  }
};

#define INIT "@%q2 mbarrier.init.shared.b64 [2048], 1;\n"
#define READY "fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
#define EXPECT_BYTES "@%q2 mbarrier.arrive.expect_tx.shared.b64 %d5, [2048], 1024;\n"
#define LOAD                                                                                                 \
  "@%q2 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [0], [%d10, "       \
  "{{%r20, %r20}}], "                                                                                        \
  "[2048];\n"
#define WAIT(label, parity)                                                                                  \
  label ":\nmbarrier.try_wait.parity.shared.b64 %q3, [2048], " parity ";\n@!%q3 bra " label ";\n"
#define READ "ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [%r21];\n"
#define FILL "st.shared.v4.b32 [%r21], {{%r31, %r20, %r21, %r2}};\n"
#define STORE "@%q2 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d11, {{%r20, %r20}}], [0];\n"
#define COMMIT "@%q2 cp.async.bulk.commit_group;\n"
#define DONE "@%q2 cp.async.bulk.wait_group.read 0;\n"

/// `text` with doubled braces made single: for what has no choices.
std::string plain(const std::string &text) { return choose(text, true); }

TEST(BulkCopy, ALoadComesBeforeItsPhaseCompletes) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Kernel kernel(seed);
    // The thread that issues expects the bytes before or after.
    for (const std::string issue : {EXPECT_BYTES LOAD, LOAD EXPECT_BYTES}) {
      ASSERT_EQ(kernel.launch(plain(INIT READY + issue +
                                    WAIT("W", "0") READ "cvt.u64.u32 %d1, %r21;\nadd.s64 %d1, %p1, %d1;\n"
                                                        "st.global.v4.b32 [%d1], {{%r4, %r5, %r6, %r7}};\n")),
                "");
      const std::vector<uint32_t> got = kernel.run.download<uint32_t>(kernel.target, 256);
      for (uint32_t i = 0; i < 256; ++i)
        ASSERT_EQ(got[i], kernel.words[i ^ (i / 32 & 7) * 4]) << i;
    }
  }
}

TEST(BulkCopy, AStoreIsThereAtTheEnd) {
  for (uint64_t seed = 0; seed < 4; ++seed)
    for (const std::string wait : {DONE, "@%q2 cp.async.bulk.wait_group 0;\n"}) {
      Kernel kernel(seed);
      ASSERT_EQ(
          kernel.launch(plain(FILL "fence.proxy.async.shared::cta;\nbar.sync 0;\n" STORE COMMIT + wait)), "");
      const std::vector<uint32_t> got = kernel.run.download<uint32_t>(kernel.target, 256);
      for (uint32_t thread = 0; thread < 64; ++thread)
        EXPECT_EQ(got[(thread * 4) ^ (thread / 8 & 7) * 4], thread);
    }
}

TEST(BulkCopy, BytesInARow) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Kernel kernel(seed);
    ASSERT_EQ(kernel.launch(plain(
                  INIT READY
                  "@%q2 mbarrier.arrive.expect_tx.shared.b64 %d5, [2048], 512;\n"
                  "@%q2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [16], [%p0+32], "
                  "512, [2048];\n" WAIT("W", "0") "@%q2 cp.async.bulk.global.shared::cta.bulk_group "
                                                  "[%p1+64], [16], 512;\n" COMMIT
                                                  "@%q2 cp.async.bulk.wait_group 0;\n")),
              "");
    const std::vector<uint32_t> got = kernel.run.download<uint32_t>(kernel.target + 64, 128);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), kernel.words.begin() + 8));
  }
}

TEST(BulkCopy, SectorsAreCounted) {
  Kernel kernel;
  ASSERT_EQ(kernel.launch(plain(INIT READY ".loc 1 11 1\n" EXPECT_BYTES LOAD
                                           ".loc 1 12 1\n" WAIT("W", "0") ".loc 1 13 1\n" STORE COMMIT DONE)),
            "");
  const auto row = [&](uint32_t line) {
    const EmulatorReport report = kernel.run.device.report();
    for (const EmulatorReport::Row &row : report.rows)
      if (row.line == line)
        return row.counters;
    return Counters{};
  };
  EXPECT_EQ(row(11).loadRequests, 1u);
  EXPECT_EQ(row(11).loadBytes, 1024u);
  EXPECT_EQ(row(11).loadSectors, 32u);
  EXPECT_EQ(row(11).loadSectorsIdeal, 32u);
  EXPECT_EQ(row(13).storeSectors, 32u);
  EXPECT_EQ(row(13).storeBytes, 1024u);
  // Of each row 48 bytes are in bounds, which begin 16 bytes behind a sector's start.
  kernel.run.device.resetReport();
  ASSERT_EQ(kernel.launch(plain(
                INIT READY ".loc 1 11 1\nmov.u32 %r3, 40;\n" EXPECT_BYTES
                           "@%q2 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                           "[0], [%d10, {{%r3, %r20}}], [2048];\n" WAIT("W", "0"))),
            "");
  EXPECT_EQ(row(11).loadBytes, 384u);
  EXPECT_EQ(row(11).loadSectors, 16u);
  EXPECT_EQ(row(11).loadSectorsIdeal, 12u);
  EXPECT_EQ(row(11).sharedBytes, 1024u);
}

TEST(Mbarrier, StatesAndParities) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Kernel kernel(seed);
    // Two arrivals a phase, one for each warp; each asks by state whether it is over, and one leaves.
    ASSERT_EQ(kernel.launch(plain(
                  "@%q2 mbarrier.init.shared::cta.b64 [2048], 64;\nbar.sync 0;\n"
                  "mbarrier.arrive.shared.b64 %d1, [2048];\n"
                  "A:\nmbarrier.test_wait.shared.b64 %q3, [2048], %d1;\n@!%q3 bra A;\n"
                  "mbarrier.arrive.release.cta.shared::cta.b64 %d1, [2048], 1;\n"
                  "B:\nmbarrier.try_wait.acquire.cta.shared::cta.b64 %q3, [2048], %d1, 100;\n@!%q3 bra B;\n"
                  "@%q1 mbarrier.arrive_drop.shared.b64 %d1, [2048];\n@%q1 bra END;\n"
                  "mbarrier.arrive.shared.b64 %d1, [2048];\n"
                  "C:\nmbarrier.try_wait.parity.shared.b64 %q3, [2048], 0;\n@!%q3 bra C;\n"
                  "mbarrier.arrive.shared.b64 %d1, [2048];\n"
                  "D:\nmbarrier.try_wait.parity.shared.b64 %q3, [2048], 1;\n@!%q3 bra D;\n"
                  "bar.warp.sync -1;\nsetp.eq.u32 %q4, %r31, 32;\n"
                  "@%q4 mbarrier.inval.shared.b64 [2048];\n@%q4 st.shared.b32 [2048], 1;\nEND:\n")),
              "")
        << seed;
  }
}

TEST(Mbarrier, AnArrivalHandsOnWhatCameBefore) {
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_EQ(Kernel(seed).launch(
                  plain("@%q2 mbarrier.init.shared.b64 [2048], 32;\nbar.sync 0;\n@!%q1 bra READER;\n" FILL
                        "mbarrier.arrive.shared.b64 %d1, [2048];\nbra END;\nREADER:\n" WAIT(
                            "W", "0") "xor.b32 %r21, %r21, 512;\n" READ "END:\n")),
              "");
}

TEST(Mbarrier, WhoWaitsInVainMayHelpItself) {
  // A wait that does not loop comes back where nothing else can happen.
  for (uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(Kernel(seed).launch(
                  plain(INIT "bar.sync 0;\n@!%q2 bra END;\n"
                             "mbarrier.try_wait.parity.shared.b64 %q3, [2048], 0;\n"
                             "@!%q3 mbarrier.arrive.shared.b64 %d1, [2048];\n" WAIT("W", "0") "END:\n")),
              "");
}

TEST(BulkCopy, WhatCannotBeDecoded) {
  const std::string load = "cp.async.bulk.tensor.",
                    signals = "d.shared::cluster.global.mbarrier::complete_tx::bytes ";
  const std::pair<std::string, const char *> wrong[] = {
      {"mbarrier.init.shared.b32 [2048], 1;", "unsupported instruction `mbarrier.init.shared.b32`"},
      {"mbarrier.arrive.shared.b64 [2048];",
       "expected 2 to 3 operands of `mbarrier.arrive.shared.b64`, found 1"},
      {"mbarrier.arrive.expect_tx.shared.b64 %d1, [2048];", "expected 3 operands of"},
      {"mbarrier.pending_count.b64 %r1, %d1;", "unsupported instruction `mbarrier.pending_count.b64`"},
      {"mbarrier.test_wait.shared.b64 %q3, [2048], %r1;", "expected a register of 64 bits"},
      {"mbarrier.test_wait.shared.b64 %q3, [2048], %d1, 9;", "expected 3 operands of"},
      {"setmaxnreg.inc.sync.aligned.u32 20;", "expected a multiple of 8 from 24 to 256 as operand 1 of"},
      {"setmaxnreg.dec.sync.aligned.u32 25;", "expected a multiple of 8 from 24 to 256 as operand 1 of"},
      {"setmaxnreg.sync.aligned.u32 24;", "unsupported instruction `setmaxnreg.sync.aligned.u32`"},
      {load + "6" + signals + "[0], [%d10, {%r20}], [2048];",
       "unsupported instruction `cp.async.bulk.tensor.6d"},
      {load + "2" + signals + "[0], [%d10, {%r20}], [2048];",
       "expected a tensor map with a coordinate for each of its axes as operand 2"},
      {load + "1" + signals + "[0], [%d10], [2048];",
       "expected a tensor map with a coordinate for each of its axes as operand 2"},
      {load + "1" + signals + "[0], [%d10, {%d1}], [2048];", "expected a register of 32 bits"},
      {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [0], [1024], 16, [2048];",
       "unsupported instruction `cp.async.bulk.shared::cluster.shared::cta"},
      {"cp.async.bulk.tensor.1d.global.shared::cta.im2col.bulk_group [%d10, {%r20}], [0];",
       "unsupported modifier `.im2col` of"},
      {"cp.async.bulk.wait_group %r1;", "expected a number of groups as operand 1"},
      {"fence.mbarrier_init.acquire.cluster;",
       "unsupported instruction `fence.mbarrier_init.acquire.cluster`"},
      {"ld.shared.b32 %r1, [0, {%r20}];",
       "expected an address without coordinates as operand 2 of `ld.shared.b32`"}};
  for (const auto &[text, message] : wrong)
    EXPECT_THAT(Kernel().launch(text), HasSubstr(std::string("cannot load `k`: line 27: ") + message))
        << text;
}

TEST(BulkCopy, AnAddressInTheCluster) {
  // A block is alone in its cluster, where its shared memory has addresses of their own.
  const std::string text =
      INIT READY "mov.u64 %d1, 2048;\ncvta.shared.u64 %d2, %d1;\ncvta.to.shared::cluster.u64 %d3, %d2;\n"
                 "mapa.shared::cluster.u64 %d4, %d3, {1|0};\n@%q2 "
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                 "[%d4], 1;\n" WAIT("W", "0");
  EXPECT_EQ(Kernel().launch(choose(text, true)), "");
  EXPECT_THAT(Kernel().launch(choose(text, false)), HasSubstr("the cluster has no block 1, but 1"));
}

TEST(Registers, PassFromGroupToGroup) {
  // 168 a thread for twelve warps: the first four give, the others take.
  const std::string text =
      "setp.lt.u32 %q4, %r2, 4;\n@%q4 bra GIVE;\nsetmaxnreg.inc.sync.aligned.u32 240;\nbra END;\nGIVE:\n"
      "setmaxnreg.dec.sync.aligned.u32 24;\nEND:\n";
  for (uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(Kernel(seed).launch(text, 12), "");
  std::string hungry = text;
  hungry.replace(hungry.find("u32 24;"), 7, "u32 32;");
  const std::string error = Kernel().launch(hungry, 12);
  EXPECT_THAT(error, HasSubstr(" wait for registers (168 and 64 free), planted.py:10"));
}

/// A ring of two slots: one thread of warp 4 loads four tiles of B, 8 rows of 64 k, and a group of four warps
/// multiplies registers of ones by each. Behind the wait for a product stands `release`, once for each of the
/// `arrivals` that free a slot; %q8 says the first lane of a warp, %r5 is 8 times the slot.
std::string ring(const std::string &release, unsigned arrivals = 4) {
  const std::string count = std::to_string(arrivals);
  std::string text =
      "@%q2 mbarrier.init.shared.b64 [2048], 1;\n@%q2 mbarrier.init.shared.b64 [2056], 1;\n"
      "@%q2 mbarrier.init.shared.b64 [2064], " +
      count + ";\n@%q2 mbarrier.init.shared.b64 [2072], " + count +
      ";\n" READY "and.b32 %r4, %r31, 31;\nsetp.eq.u32 %q8, %r4, 0;\nmov.u32 %r3, 0;\nsetp.lt.u32 %q5, %r2, "
      "4;\nsetp.eq.u32 %q6, %r31, 128;\nmov.u32 %r10, 0;\n"
      "mov.u32 %r11, 0;\nmov.u32 %r12, 0;\nmov.u32 %r13, 0;\nmov.u32 %r14, 0x3f803f80;\n@%q5 bra USE;\n"
      "@!%q6 bra END;\n";
  // The slot of a tile is its number's bit 0, the parity of its phase bit 1.
  const std::string
      slot = "and.b32 %r4, %r3, 1;\nshl.b32 %r5, %r4, 3;\nshl.b32 %r6, %r4, 10;\nshr.u32 %r7, %r3, 1;\n",
      next = "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %q7, %r3, 4;\n";
  text +=
      "LOAD:\n" + slot +
      "xor.b32 %r8, %r7, 1;\nshl.b32 %r9, %r3, 3;\nE:\nmbarrier.try_wait.parity.shared.b64 %q3, [%r5+2064], "
      "%r8;\n"
      "@!%q3 bra E;\nmbarrier.arrive.expect_tx.shared.b64 %d5, [%r5+2048], 1024;\nadd.u32 %r15, %r5, 2048;\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r6], [%d10, "
      "{{%r20, %r9}}], "
      "[%r15];\n" +
      next + "@%q7 bra LOAD;\nbra END;\n";
  text += "USE:\n" + slot +
          "F:\nmbarrier.try_wait.parity.shared.b64 %q3, [%r5+2048], %r7;\n@!%q3 bra F;\n.loc 1 11 1\n"
          "shl.b32 %r8, %r4, 6;\ncvt.u64.u32 %d6, %r8;\nadd.s64 %d6, %d6, 0x4000004000010000;\n"
          "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{%r10, %r11, "
          "%r12, %r13}}, "
          "{{%r14, %r14, %r14, %r14}}, %d6, 1, 1, 1, 0;\nwgmma.commit_group.sync.aligned;\n"
          "wgmma.wait_group.sync.aligned 0;\n" +
          release + next +
          "@%q7 bra USE;\nmul.wide.u32 %d5, %r31, 16;\nadd.s64 %d5, %p1, %d5;\n"
          "st.global.v4.b32 [%d5], {{%r10, %r11, %r12, %r13}};\nEND:\n";
  return plain(text);
}

TEST(BulkCopy, ARingFeedsAGroup) {
  const std::string release = "mbarrier.arrive.shared.b64 %d5, [%r5+2064];\n";
  for (uint64_t seed = 0; seed < 12; ++seed) {
    // Elements of ones: every sum is the number of its terms.
    Kernel kernel(seed);
    const std::vector<uint32_t> ones(1024, 0x3f803f80);
    ASSERT_TRUE(kernel.run.device.copyToDevice(kernel.source, ones.data(), 4096));
    // Each warp releases, or one thread for all four, as their products are done for all of them at once.
    ASSERT_EQ(kernel.launch(ring("@%q2 " + release, 1), 5), "") << seed;
    ASSERT_EQ(kernel.launch(ring("@%q8 " + release), 5), "") << seed;
    const std::vector<float> sums = kernel.run.download<float>(kernel.target, 512);
    EXPECT_TRUE(std::all_of(sums.begin(), sums.end(), [](float sum) { return sum == 64; }));
    EXPECT_THAT(Kernel(seed).launch(ring(""), 5), HasSubstr("at the mbarrier at 0x8"));
  }
  // Before the wait a slot is not read yet.
  std::string early = ring("");
  early.insert(early.find("wgmma.wait_group"), "@%q8 " + release);
  for (uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_THAT(Kernel(seed).launch(early, 5),
                AnyOf(HasSubstr("the `wgmma` at planted.py:11"), HasSubstr("at planted.py:11 (PTX line")));
}

/// Returns the ring with one product in flight while the next starts: `release` follows the wait for all but
/// one.
std::string ringInFlight(const std::string &release) {
  std::string text = ring("");
  const std::string waitForAll = "wgmma.wait_group.sync.aligned 0;\n", end = "mul.wide.u32 %d5, %r31, 16;";
  text.replace(text.find(waitForAll), waitForAll.size(), "wgmma.wait_group.sync.aligned 1;\n" + release);
  return text.insert(text.find(end), waitForAll);
}

TEST(BulkCopy, ARingGivesBackTheSlotOfTheProductBefore) {
  const std::string before = "xor.b32 %r8, %r5, 8;\nsetp.ne.u32 %q3, %r3, 0;\nand.pred %q3, %q3, %q8;\n"
                             "@%q3 mbarrier.arrive.shared.b64 %d5, [%r8+2064];\n",
                    present = "@%q8 mbarrier.arrive.shared.b64 %d5, [%r5+2064];\n";
  for (uint64_t seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(Kernel(seed).launch(ringInFlight(before), 5), "") << seed;
    EXPECT_THAT(Kernel(seed).launch(ringInFlight(present), 5),
                AnyOf(HasSubstr("the `wgmma` at planted.py:11"), HasSubstr("at planted.py:11 (PTX line")))
        << seed;
  }
}

TEST(BulkCopy, ARingStopsWhereItsPhasesAreWrong) {
  const std::string release = "@%q8 mbarrier.arrive.shared.b64 %d5, [%r5+2064];\n";
  auto with = [&](const std::string &text, const std::string &right, const std::string &wrong) {
    std::string changed = text;
    changed.replace(changed.find(right), right.size(), wrong);
    return changed;
  };
  for (uint64_t seed = 0; seed < 4; ++seed) {
    // The producer begins with the phase before the first: the stage has no reader yet.
    EXPECT_THAT(Kernel(seed).launch(with(ring(release), "xor.b32 %r8, %r7, 1;", "mov.u32 %r8, %r7;"), 5),
                HasSubstr("deadlock: "));
    // One warp of four says nothing.
    EXPECT_THAT(Kernel(seed).launch(ring("@%q2 " + release.substr(5)), 5), HasSubstr("deadlock: "));
  }
  // A stage that is released twice is found by some schedules: under others no thread comes too late or too
  // early.
  unsigned found = 0;
  for (uint64_t seed = 0; seed < 8; ++seed)
    found += !Kernel(seed).launch(ring(release + release, 4), 5).empty();
  EXPECT_GT(found, 3u);
}

/// `text` has one `{wrong|right}` for every place where the faulty kernel and its twin differ.
struct Planted {
  const char *name;
  std::string text;
  /// Pieces of the message; a bar separates alternatives of which one must be there, as the schedule decides.
  std::vector<std::string> pieces;
};

const std::vector<Planted> planted = {
    {"StoreOfWhatIsNotPublished",
     FILL "{|fence.proxy.async.shared::cta;}\nbar.sync 0;\n.loc 1 11 1\n" STORE COMMIT DONE,
     {"`cp.async.bulk` reads the shared byte at 0x0, which thread (0,0,0) wrote at planted.py:10",
      "no `fence.proxy.async` stands between", "planted.py:11"}},
    {"LoadOverWhatIsNotPublished",
     INIT FILL "{|fence.proxy.async.shared::cta;}\n" READY ".loc 1 11 1\n" EXPECT_BYTES LOAD WAIT("W", "0"),
     {"`cp.async.bulk` writes the shared byte at 0x0, which thread (0,0,0) wrote at planted.py:10",
      "no `fence.proxy.async` stands between"}},
    {"StoreBeforeOthersHaveWritten",
     FILL "fence.proxy.async.shared::cta;\n{|bar.sync 0;}\n.loc 1 11 1\n" STORE COMMIT DONE,
     {"race on the shared byte at|uninitialised shared memory|may still read them",
      "planted.py:10|planted.py:11"}},
    {"SlotFilledBeforeItsReadersArrived",
     INIT "@%q2 mbarrier.init.shared.b64 [2056], 64;\n" READY EXPECT_BYTES LOAD WAIT("W", "0") READ
     "{|mbarrier.arrive.shared.b64 %d1, [2056];\n@!%q2 bra END;\nE:\nmbarrier.try_wait.parity.shared.b64 "
     "%q3, [2056], "
     "0;\n@!%q3 bra E;}\n.loc 1 11 1\n" EXPECT_BYTES LOAD WAIT("X", "1") "END:\n",
     {"race on the shared byte at|a bulk copy to it has not been waited for", "planted.py:11",
      "planted.py:10"}},
    {"SlotFilledWhileAStoreReadsIt",
     INIT FILL "fence.proxy.async.shared::cta;\n" READY STORE COMMIT "{|" DONE
               "}.loc 1 11 1\n" EXPECT_BYTES LOAD WAIT("W", "0") DONE,
     {"shared write of 16 bytes at 0x0: the bulk copy at planted.py:10", "may still read them",
      "planted.py:11"}},
    {"StagingRewrittenBeforeItIsRead",
     FILL "fence.proxy.async.shared::cta;\nbar.sync 0;\n" STORE COMMIT "{|" DONE
          "}.loc 1 11 1\n@%q2 st.shared.b32 [0], "
          "7;\n" DONE,
     {"shared write of 4 bytes at 0x0: the bulk copy at planted.py:10", "may still read them",
      "planted.py:11"}},
    {"StagingRewrittenByOthers",
     FILL "fence.proxy.async.shared::cta;\nbar.sync 0;\n" STORE COMMIT DONE
          "{|bar.sync 0;}\n.loc 1 11 1\n@!%q1 st.shared.b32 "
          "[0], %r20;\n",
     {"race on the shared byte at 0x0|may still read them", "planted.py:10", "planted.py:11"}},
    {"BlockEndsBeforeItsMemoryIsRead",
     FILL "fence.proxy.async.shared::cta;\nbar.sync 0;\n" STORE COMMIT "{|" DONE "}",
     {"the block ends before this bulk copy has read its memory"}},
    {"GroupThatIsNotCommitted",
     FILL "fence.proxy.async.shared::cta;\nbar.sync 0;\n" STORE "{|" COMMIT "}" DONE,
     {"the block ends before this bulk copy has read its memory"}},
    {"BlockEndsBeforeALoadComes",
     INIT READY EXPECT_BYTES LOAD "{mov.u32 %r3, 0;|" WAIT("W", "0") "}",
     {"the block ends"}},
    {"SlotReadBeforeItsPhase",
     INIT READY EXPECT_BYTES LOAD "{|" WAIT("W", "0") "}.loc 1 11 1\n" READ WAIT("X", "0"),
     {"a bulk copy to it has not been waited for, the one at planted.py:10|the copy's mbarrier has not been "
      "waited "
      "for|uninitialised shared memory|this write and the read by",
      "planted.py:11"}},
    {"SlotReadAfterAnotherBarriersPhase",
     INIT "@%q2 mbarrier.init.shared.b64 [2056], 1;\n" READY EXPECT_BYTES LOAD
          "@%q2 mbarrier.arrive.shared.b64 %d5, [2056];\nmov.u32 %r3, "
          "{2056|2048};\nV:\nmbarrier.try_wait.parity.shared.b64 "
          "%q3, [%r3], 0;\n@!%q3 bra V;\n.loc 1 11 1\n" READ WAIT("W", "0"),
     {"a bulk copy to it has not been waited for, the one at planted.py:10|the copy's mbarrier has not been "
      "waited "
      "for|uninitialised shared memory|this write and the read by",
      "planted.py:11"}},
    {"PhaseMissed",
     INIT READY "@!%q1 bra LATER;\n" EXPECT_BYTES LOAD WAIT("W", "0") "bar.warp.sync -1;\n" EXPECT_BYTES LOAD
         WAIT("X", "1") "LATER:\nbar.sync 0;\n.loc 1 11 1\n@%q1 bra END;\n" WAIT("Y", "{0|1}") "END:\n",
     {"the warp has missed a phase of the mbarrier that was initialised at planted.py:10",
      "it waits for phase 0, and 2 have "
      "completed",
      "planted.py:11"}},
    {"MoreArrivalsThanExpected",
     INIT READY "{|@%q2 }mbarrier.arrive.expect_tx.shared.b64 %d5, [2048], 16;\n{|@%q2 "
                "cp.async.bulk.shared::cluster.global."
                "mbarrier::complete_tx::bytes [0], [%p0], 16, [2048];}\n" WAIT("W", "0"),
     {"1 arrives at the mbarrier at 0x800 (phase 0: 1 of 1 arrivals",
      "more than it was initialised for, at planted.py:10"}},
    {"FewerBytesThanCome",
     INIT READY "@%q2 mbarrier.arrive.expect_tx.shared.b64 %d5, [2048], {1008|1024};\n" LOAD
                ".loc 1 11 1\n" WAIT("W", "0"),
     {"deadlock: ", "at the mbarrier at 0x800 (phase 0: 1 of 1 arrivals, 16 bytes more than expected have "
                    "come), planted.py:11"}},
    {"MoreBytesThanCome",
     INIT READY "@%q2 mbarrier.arrive.expect_tx.shared.b64 %d5, [2048], {1040|1024};\n" LOAD
                ".loc 1 11 1\n" WAIT("W", "0"),
     {"deadlock: ", "at the mbarrier at 0x800 (phase 0: 1 of 1 arrivals, 16 bytes to come), planted.py:11"}},
    {"NoBytesExpected",
     INIT READY "@%q2 mbarrier.arrive{|.expect_tx}.shared.b64 %d5, [2048], {1|1024};\n" LOAD WAIT("W", "0")
         READ,
     {"of the mbarrier at 0x800 has completed without the 1024 bytes of this bulk copy|a bulk copy to it has "
      "not been "
      "waited for|the block ends before this bulk copy|16 bytes more|1024 bytes more than expected|missed a "
      "phase"}},
    {"InitialisedWithoutABarrier",
     INIT
     "fence.mbarrier_init.release.cluster;\n{|bar.sync 0;}\n.loc 1 11 1\n" WAIT("W", "1") "bar.sync 0;\n",
     {"there is no mbarrier at 0x800: it is not initialised, or not yet|nothing orders the two",
      "planted.py:11"}},
    {"InitialisedWithoutAFence",
     INIT
     "{|fence.mbarrier_init.release.cluster;}\nbar.sync 0;\n.loc 1 11 1\n" EXPECT_BYTES LOAD WAIT("W", "0"),
     {"a bulk copy signals the mbarrier at 0x800, which was initialised at planted.py:10",
      "no `fence.mbarrier_init` or "
      "`fence.proxy.async` stands between",
      "planted.py:11"}},
    {"InitialisedTwice",
     INIT READY ".loc 1 11 1\n{|@%q2 mbarrier.inval.shared.b64 [2048];}\n" INIT,
     {"an mbarrier is initialised where there is one already, from planted.py:10", "planted.py:11"}},
    {"InvalidatedWhileInUse",
     INIT READY WAIT("W", "1") "{|bar.sync 0;}\n.loc 1 11 1\n@%q2 mbarrier.inval.shared.b64 [2048];\n",
     {"there is no mbarrier at 0x800|race on the shared byte at 0x800|nothing orders the two"}},
    {"AccessToAnMbarrier",
     INIT READY ".loc 1 11 1\n@%q2 st.shared.b32 [{2052|2056}], 7;\n",
     {"shared access of 4 bytes at 0x804: they hold the mbarrier that was initialised at planted.py:10"}},
    {"ReadOfAnMbarrier",
     INIT "@%q2 st.shared.b32 [2056], 7;\n" READY ".loc 1 11 1\nld.shared.b32 %r3, [{2048|2056}];\n",
     {"shared access of 4 bytes at 0x800: they hold the mbarrier that was initialised at planted.py:10"}},
    {"MisalignedSlot",
     INIT READY EXPECT_BYTES
     ".loc 1 11 1\n@%q2 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
     "[{64|128}], [%d10, "
     "{{%r20, %r20}}], [2048];\n" WAIT("W", "0"),
     {"expected a bulk copy's shared memory at a multiple of 128, found 0x40", "planted.py:11"}},
    {"BoxBeyondSharedMemory",
     INIT READY EXPECT_BYTES
     "@%q2 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{3200|3072}], "
     "[%d10, {{%r20, "
     "%r20}}], [2048];\n" WAIT("W", "0"),
     {"a bulk copy of 1024 bytes at 0xc80: outside the block's 4096 bytes of shared memory"}},
    {"BytesThatAreNoMap",
     INIT READY "{mov.u64 %d10, %p0;|}\n" EXPECT_BYTES LOAD WAIT("W", "0"),
     {"the 128 bytes at 0x200000000000 are no tensor map that a launch has made"}},
    {"MapBetweenTwoMaps",
     INIT READY "add.s64 %d10, %d10, {32|0};\n" EXPECT_BYTES LOAD WAIT("W", "0"),
     {"expected a tensor map at a multiple of 64, found"}},
    {"MapOfAnotherRank",
     INIT READY EXPECT_BYTES
     "@%q2 cp.async.bulk.tensor.{1d|2d}.shared::cluster.global.tile.mbarrier::complete_tx::bytes [0], [%d10, "
     "{{%r20{|, "
     "%r20}}}], [2048];\n" WAIT("W", "0"),
     {"expected a tensor map of 1 axes, found one of 2"}},
    {"BoxBeyondTheAllocation",
     INIT READY EXPECT_BYTES
     "mov.u32 %r3, {32|24};\n@%q2 "
     "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [0], "
     "[%d10, {{%r20, %r3}}], [2048];\n" WAIT("W", "0"),
     {"global load of 16 bytes at 0x200000001000: outside any allocation"}},
    {"SourceThatChanges",
     INIT READY EXPECT_BYTES LOAD "{|" WAIT("W", "0") "}@%q2 st.global.b32 [%p0], 7;\n" WAIT("X", "0"),
     {"the source of the bulk copy at 0x200000000000 changed before the copy was complete"}},
    {"NamedBarrierWithAnotherCount",
     "@%q1 bar.arrive 1, {96|64};\n@!%q1 bar.sync 1, 64;\n",
     {"barrier 1 expects"}},
    {"NobodyArrives",
     INIT READY ".loc 1 11 1\n{bra W;|}\n" EXPECT_BYTES LOAD WAIT("W", "0"),
     {"deadlock: ", "at the mbarrier at 0x800 (phase 0: 0 of 1 arrivals), planted.py:11"}},
    {"NobodyArrivesWhereOthersStandAtABarrier",
     INIT READY ".loc 1 11 1\n{bra V;|}\n" EXPECT_BYTES LOAD
                "V:\n@!%q1 bra END;\n" WAIT("W", "0") "END:\nbar.sync 0;\n",
     {"deadlock: ", "warp 0 waits at the mbarrier at 0x800",
      "warp 1 waits at barrier 0 (32 of 64 threads arrived)"}},
    {"RegistersInTheWrongDirection",
     "setmaxnreg.{inc|dec}.sync.aligned.u32 40;\n",
     {"the warp has 256 registers a thread, and 40 are no more"}},
    {"RegistersOfHalfAWarp",
     "and.b32 %r5, %r31, 1;\nsetp.eq.u32 %q3, %r5, 0;\nsetp.ne.u32 %q4, %r5, 2;\n@{%q3|%q4} "
     "setmaxnreg.dec.sync.aligned.u32 40;\n",
     {"reached by part of the warp"}},
};

class PlantedBulkFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedBulkFault, IsFoundAndItsTwinIsClean) {
  const Planted &fault = GetParam();
  for (uint64_t seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(Kernel(seed).launch(choose(fault.text, true)), "") << "the twin, seed " << seed;
    const std::string error = Kernel(seed).launch(choose(fault.text, false));
    EXPECT_THAT(error, HasSubstr("kernel `k` faulted at planted.py:")) << "seed " << seed;
    for (const std::string &piece : fault.pieces) {
      bool isThere = false;
      for (size_t at = 0; at <= piece.size(); at = std::min(piece.find('|', at), piece.size()) + 1)
        isThere |= error.find(piece.substr(at, piece.find('|', at) - at)) != std::string::npos;
      EXPECT_TRUE(isThere) << "seed " << seed << ": expected " << piece << "\nfound " << error;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBulkFault, ::testing::ValuesIn(planted),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace tegula::runtime::test
