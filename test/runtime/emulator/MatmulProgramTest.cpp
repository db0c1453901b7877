// A whole matrix product as a compiler would emit it: asynchronous copies into a ring of swizzled slots,
// ldmatrix, mma.sync. It must be right and free of bank conflicts, and each thing taken out of it must be
// missed.

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;

constexpr unsigned rows = 64, columns = 64, stepK = 32, slots = 3, slotBytes = 8192, offsetOfB = 4096;

/// Parts that the program omits.
struct Omission {
  bool wait = false, barrier = false, swizzle = false;
};

/// A block of four warps, 2 x 2, multiplies 64 x `depth` halves (%p0) by `depth` x 64 halves (%p1) to floats
/// (%p2).
class Program {
public:
  Program(unsigned depth, Omission omission) : depth(depth), omission(omission) {}

  std::string text() {
    line(".reg .b32 %x<8>, %from<4>, %A<8>, %B<8>, %C<32>, %ra<4>, %rb<4>;\n.reg .b64 %src<4>, %at;");
    line("shr.u32 %r1, %r31, 5;\nand.b32 %r2, %r31, 31;\nshr.u32 %r3, %r1, 1;\nand.b32 %r4, %r1, 1;");
    addresses();
    for (unsigned i = 0; i < 32; ++i)
      line("mov.b32 %C" + std::to_string(i) + ", 0;");
    const unsigned steps = depth / stepK;
    for (unsigned step = 0; step < slots - 1; ++step)
      copies(step);
    for (unsigned step = 0; step < steps; ++step) {
      if (!omission.wait)
        line("cp.async.wait_group " + std::to_string(slots - 2) + ";");
      if (!omission.barrier)
        line("bar.sync 0;");
      copies(step + slots - 1);
      for (unsigned half = 0; half < 2; ++half)
        products(step % slots, half);
    }
    store();
    return body;
  }

private:
  void line(const std::string &text) { body += text + "\n"; }

  /// %`to` = `row` * `bytes` + 16 * (`chunk` exchanged by `key`)
  void swizzled(const std::string &to, const std::string &row, unsigned bytes, const std::string &chunk) {
    line("mov.u32 %x4, " + chunk + ";");
    if (!omission.swizzle)
      line(std::string(bytes == 64 ? "shr.u32 %x5, " + row + ", 1;\nand.b32 %x5, %x5, 3;"
                                   : "and.b32 %x5, " + row + ", 7;") +
           "\nxor.b32 %x4, %x4, %x5;");
    line("shl.b32 %x4, %x4, 4;\nmad.lo.u32 " + to + ", " + row + ", " + std::to_string(bytes) + ", %x4;");
  }

  void addresses() {
    for (unsigned i = 0; i < 4; ++i) { // two chunks of 16 bytes of A, two of B
      const bool isB = i >= 2;
      const std::string n = std::to_string(i);
      line("add.u32 %x0, %r31, " + std::to_string(i % 2 * 128) + ";\nshr.u32 %x1, %x0, " + (isB ? "3" : "2") +
           ";\nand.b32 %x2, %x0, " + (isB ? "7" : "3") + ";");
      swizzled("%from" + n, "%x1", isB ? 128 : 64, "%x2");
      line("shl.b32 %x2, %x2, 4;\nmad.lo.u32 %x2, %x1, " + std::to_string(isB ? columns * 2 : depth * 2) +
           ", %x2;\ncvt.u64.u32 %src" + n + ", %x2;\nadd.s64 %src" + n + ", %src" + n + ", %p" +
           (isB ? "1" : "0") + ";");
    }
    for (unsigned i = 0; i < 4;
         ++i) { // A: tile i / 2 of 16 rows, half i % 2 of K; B: 16 columns i / 2, half i % 2
      const std::string n = std::to_string(i);
      line("and.b32 %x0, %r2, 15;\nshr.u32 %x1, %r2, 4;\nmad.lo.u32 %x2, %r3, 32, %x0;\nadd.u32 %x2, %x2, " +
           std::to_string(i / 2 * 16) + ";\nadd.u32 %x3, %x1, " + std::to_string(i % 2 * 2) + ";");
      swizzled("%ra" + n, "%x2", 64, "%x3");
      line("add.u32 %x2, %x0, " + std::to_string(i % 2 * 16) +
           ";\nmad.lo.u32 %x3, %r4, 4, %x1;\nadd.u32 %x3, %x3, " + std::to_string(i / 2 * 2) + ";");
      swizzled("%rb" + n, "%x2", 128, "%x3");
    }
  }

  void copies(unsigned step) {
    line(".loc 1 20 1");
    for (unsigned i = 0; i < 4 && step < depth / stepK; ++i)
      line("cp.async.cg.shared.global [%from" + std::to_string(i) + "+" +
           std::to_string(step % slots * slotBytes + (i < 2 ? 0 : offsetOfB)) + "], [%src" +
           std::to_string(i) + "+" + std::to_string(step * (i < 2 ? stepK * 2 : stepK * columns * 2)) +
           "], 16;");
    line("cp.async.commit_group;\n.loc 1 30 1");
  }

  void products(unsigned slot, unsigned half) {
    const auto load = [&](const std::string &to, unsigned i, bool isB) {
      const std::string at = std::string(isB ? "%rb" : "%ra") + std::to_string(i * 2 + half);
      std::string registers;
      for (unsigned r = 0; r < 4; ++r)
        registers += (r ? ", %" : "%") + to + std::to_string(i * 4 + r);
      line(std::string("ldmatrix.sync.aligned.m8n8.x4") + (isB ? ".trans" : "") + ".shared.b16 {" +
           registers + "}, [" + at + "+" + std::to_string(slot * slotBytes + (isB ? offsetOfB : 0)) + "];");
    };
    for (unsigned i = 0; i < 2; ++i) {
      load("A", i, false);
      load("B", i, true);
    }
    for (unsigned m = 0; m < 2; ++m)
      for (unsigned n = 0; n < 4; ++n) {
        const auto four = [](const std::string &name, unsigned first, unsigned count) {
          std::string out;
          for (unsigned r = 0; r < count; ++r)
            out += (r ? ", %" : "{%") + name + std::to_string(first + r);
          return out + "}";
        };
        const std::string sum = four("C", (m * 4 + n) * 4, 4);
        line("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + sum + ", " + four("A", m * 4, 4) + ", " +
             four("B", n * 2, 2) + ", " + sum + ";");
      }
  }

  void store() {
    line("cp.async.wait_all;\nshr.u32 %x0, %r2, 2;\nmad.lo.u32 %x0, %r3, 32, %x0;\nand.b32 %x1, %r2, "
         "3;\nmul.lo.u32 %x1, "
         "%x1, 2;\nmad.lo.u32 %x1, %r4, 32, %x1;\nmad.lo.u32 %x0, %x0, 64, %x1;\nmul.wide.u32 %at, %x0, "
         "4;\nadd.s64 %at, "
         "%at, %p2;");
    for (unsigned i = 0; i < 16; ++i) { // pairs of columns
      const unsigned m = i / 8, n = i / 2 % 4, low = i % 2;
      line("st.global.v2.b32 [%at+" + std::to_string(((m * 16 + low * 8) * columns + n * 8) * 4) + "], {%C" +
           std::to_string(i * 2) + ", %C" + std::to_string(i * 2 + 1) + "};");
    }
  }

  unsigned depth;
  Omission omission;
  std::string body;
};

/// Small integers as halves, their value at (row, column).
int elementAt(unsigned row, unsigned column) { return int((row * 7 + column * 13 + row * column) % 9) - 4; }
std::vector<uint16_t> matrix(unsigned height, unsigned width) {
  const uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  std::vector<uint16_t> out;
  for (unsigned row = 0; row < height; ++row)
    for (unsigned column = 0; column < width; ++column) {
      const int value = elementAt(row, column);
      out.push_back(uint16_t(halves[std::abs(value)] | (value < 0 ? 0x8000 : 0)));
    }
  return out;
}

std::string launch(Runner &run, unsigned depth, Omission omission, std::vector<float> &out) {
  const DeviceAddress a = run.upload(matrix(rows, depth)), b = run.upload(matrix(depth, columns)),
                      c = run.fresh(rows * columns * 4);
  const std::string error = run.launch(kernel(Program(depth, omission).text(), 3, ".file 1 \"matmul.py\"\n"),
                                       {a, b, c}, 4, {}, slots * slotBytes);
  if (error.empty())
    out = run.download<float>(c, rows * columns);
  return error;
}

TEST(MatmulProgram, MultipliesWithoutConflicts) {
  for (const unsigned depth : {32u, 64u, 96u, 256u})
    for (uint64_t seed = 0; seed < 3; ++seed) {
      EmulatorOptions options;
      options.seed = seed;
      Runner run(options);
      std::vector<float> found;
      ASSERT_EQ(launch(run, depth, {}, found), "");
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column) {
          int expected = 0;
          for (unsigned k = 0; k < depth; ++k)
            expected += elementAt(row, k) * elementAt(k, column);
          ASSERT_EQ(found[row * columns + column], float(expected)) << row << ", " << column;
        }
      const Counters total = run.device.report().total;
      EXPECT_EQ(total.bankConflicts, 0u);
      EXPECT_EQ(total.loadSectors, total.loadSectorsIdeal);
      EXPECT_EQ(total.loadBytes, 2u * (rows + columns) * depth);
    }
}

TEST(MatmulProgram, MissesWhatIsLeftOut) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    EmulatorOptions options;
    options.seed = seed;
    Runner run(options);
    std::vector<float> found;
    EXPECT_THAT(launch(run, 128, {.wait = true}, found),
                HasSubstr("a `cp.async` to it has not been waited for, the one at matmul.py:20 (PTX line"));
    EXPECT_THAT(launch(run, 128, {.barrier = true}, found), HasSubstr("matmul.py:30:1 (PTX line"));
    EXPECT_EQ(launch(run, 128, {.swizzle = true}, found), "");
    EXPECT_GT(run.device.report().total.bankConflicts, 1000u);
  }
}

} // namespace
} // namespace tegula::runtime::test
