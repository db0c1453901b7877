// Undefined registers, whole or in part: carried anywhere, and an error where they come to matter.

#include "test/runtime/emulator/ExpectFault.h"

namespace tegula::runtime::test {
namespace {

using Undefined = ExpectFault;

TEST_F(Undefined, RegisterAsAddress) {
  expectFault("ld.global.b32 %r0, [%d7];", {0}, {"uninitialised register `%d7` is used as an address"});
}

TEST_F(Undefined, ValuePropagatesToTheStore) {
  const DeviceAddress x = run.fresh(4);
  expectFault("add.s32 %r1, %r2, 1;\nmul.lo.s32 %r3, %r1, 4;\nst.global.b32 [%p0], %r3;", {x},
              {"uninitialised register `%r3` is used as a stored value"});
  // From a narrow operand, a narrow factor and the wide operand.
  for (const std::string code :
       {"add.f32.f16 %r1, %h1, 0f3f800000;", "fma.rn.f32.bf16 %r1, %h0, %h1, 0f3f800000;",
        "fma.rn.f32.bf16 %r1, %h0, %h0, %r2;"})
    expectFault("mov.b16 %h0, 1;\n" + code + "\nst.global.b32 [%p0], %r1;", {x},
                {"uninitialised register `%r1` is used as a stored value"});
}

// The same by bytes, which permutations move.
TEST_F(Undefined, ByteOfAPermutation) {
  const DeviceAddress x = run.fresh(4);
  const std::string pack = "mov.u32 %r1, 7;\nprmt.b32 %r2, %r1, %r9, 0x4410;\n";
  expectNoFault(pack + "prmt.b32 %r3, %r2, 0, 0x1010;\nst.global.b32 [%p0], %r3;", {x}, 1);
  expectFault(pack + "prmt.b32 %r3, %r2, 0, 0x2010;\nst.global.b32 [%p0], %r3;", {x},
              {"uninitialised register `%r3` is used as a stored value"});
  expectFault(pack + "prmt.b32 %r3, %r1, %r1, %r9;\nst.global.b32 [%p0], %r3;", {x},
              {"uninitialised register `%r3` is used as a stored value"});
}

// A register may carry an undefined element with a defined one: each comes out as it went in.
TEST_F(Undefined, ElementOfAPackedRegister) {
  const DeviceAddress x = run.fresh(4);
  const std::string pack = "mov.b16 %h1, 7;\nmov.b32 %r1, {%h1, %h2};\nmov.b32 {%h3, %h4}, %r1;\n";
  expectNoFault(pack + "st.global.b16 [%p0], %h3;", {x}, 1);
  expectFault(pack + "st.global.b16 [%p0], %h4;", {x},
              {"uninitialised register `%h4` is used as a stored value"});
  expectFault(pack + "st.global.b32 [%p0], %r1;", {x},
              {"uninitialised register `%r1` is used as a stored value"});
  expectFault(pack + "mov.b32 %r1, %r9;\nmov.b32 {%h5, %h6}, %r1;\nst.global.b16 [%p0], %h6;", {x},
              {"uninitialised register `%h6` is used as a stored value"});
}

// An undefined element, with a defined one, goes wherever LLVM carries the register.
TEST_F(Undefined, ElementThatIsCarried) {
  const DeviceAddress x = run.fresh(4);
  // %h1 is the lower half of %r1 and %d1, %h2 nothing's.
  const std::string pack =
      "mov.b16 %h1, 7;\nmov.b32 %r1, {%h1, %h2};\nshl.b32 %r8, %r31, 2;\nmov.u32 %r7, 16;\n"
      "setp.eq.u32 %q0, %r31, 0;\nmov.b64 %d1, {%r1, %r9};\n";
  const std::string local = ".local .align 8 .b8 depot[16];\nmov.u64 %d2, depot;\nst.local.b32 [%d2], %r1;\n"
                            "ld.local.b32 %r2, [%d2];\n";
  struct Way {
    std::string carry, good, bad; ///< what makes %r2 of the register, and its two halves afterwards
  };
  const std::string low = "mov.b32 {%h3, %h4}, %r2;\n", high = "mov.b32 {%h4, %h3}, %r2;\n";
  for (const Way &way : std::vector<Way>{
           {"mov.b32 %r2, %r1;\n", low, high},
           {"selp.b32 %r2, %r1, 7, %q0;\n", low, high},
           {"shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n", low, high},
           {"st.shared.b32 [%r8], %r1;\nld.shared.b32 %r2, [%r8];\n", low, high},
           {"st.shared.b32 [%r8], %r1;\nld.shared.u16 %r2, [%r8];\n", low, "ld.shared.u16 %h3, [%r8+2];\n"},
           {local, low, high},
           {"cvt.u32.u64 %r2, %d1;\n", low, high},
           {"", "cvt.u16.u32 %h3, %r1;\n", "shr.u32 %r2, %r1, 16;\ncvt.u16.u32 %h3, %r2;\n"},
           {"cvt.u32.u16 %r2, %r1;\n", low, "shr.u64 %d2, %d1, 16;\ncvt.u16.u64 %h3, %d2;\n"},
           {"cvt.s64.s32 %d2, %d1;\nmov.b64 {%r2, %r3}, %d2;\n", low, "mov.b32 {%h3, %h4}, %r3;\n"},
           {"cvt.u64.u32 %d2, %d1;\nmov.b64 {%r2, %r3}, %d2;\n", low + "mov.b32 {%h3, %h4}, %r3;\n", high},
           {"and.b32 %r2, %r1, 0xffff;\n", low, "and.b32 %r2, %r1, 0xff0000;\n" + high},
           {"or.b32 %r2, %r1, 0xffff0000;\n", low, "or.b32 %r2, %r1, 0xff;\n" + high},
           {"xor.b32 %r2, %r1, 1;\n", low, high},
           {"not.b32 %r2, %r1;\n", low, high},
           {"not.b64 %d2, %d1;\nmov.b64 {%r2, %r3}, %d2;\n", low, high},
           {"lop3.b32 %r2, %r1, %r7, %r7, 0x96;\n", low, high},
           {"add.s32 %r2, %r1, %r7;\n", low, high},
           {"sub.s32 %r2, %r7, %r1;\n", low, high},
           {"mul.lo.s32 %r2, %r7, %r1;\n", low, high},
           {"mad.lo.s32 %r2, %r7, %r7, %r1;\n", low, high},
           {"neg.s32 %r2, %r1;\n", low, high},
           {"add.s64 %d2, %d1, 1;\nmov.b64 {%r2, %r3}, %d2;\n", low, "mov.b32 {%h3, %h4}, %r3;\n"},
           {"add.f16x2 %r2, %r1, %r7;\n", low, high},
           {"fma.rn.bf16x2 %r2, %r7, %r7, %r1;\n", low, high},
           {"neg.f16x2 %r2, %r1;\n", low, high},
           {"add.u16x2 %r2, %r1, %r1;\n", low, high},
           {"mov.b64 %d1, {%r7, %r9};\nadd.rn.f32x2 %d2, %d1, %d1;\nmov.b64 {%r2, %r3}, %d2;\n", low,
            "mov.b32 {%h3, %h4}, %r3;\n"},
           {"mov.b64 %d1, {%r9, %r7};\nadd.rn.f32x2 %d2, %d1, %d1;\nmov.b64 {%r2, %r3}, %d2;\n",
            "mov.b32 {%h3, %h4}, %r3;\n", low},
           {"mov.b32 %r1, {%h2, %h1};\nadd.s32 %r2, %r1, %r7;\n", "mov.b32 {%h4, %h3}, %r1;\n", high},
           {"shl.b32 %r2, %r1, %r7;\n", high, "shl.b32 %r2, %r1, 8;\n" + high},
           {"shl.b32 %r2, %r1, 8;\n", low, high},
           {"shr.u32 %r2, %r1, %r7;\n", high, low},
           {"bfe.u32 %r2, %r1, 4, 12;\n", low + high, "bfe.u32 %r2, %r1, 4, 13;\n" + high},
           {"bfi.b32 %r2, 5, %r1, 16, 16;\n", low + high, "bfi.b32 %r2, 5, %r1, 8, 16;\n" + high},
           {"bfi.b32 %r2, %r1, 0, 8, 16;\n", low + high, "bfi.b32 %r2, %r1, 0, 8, 24;\n" + high},
       }) {
    expectNoFault(pack + way.carry + way.good + "st.global.b16 [%p0], %h3;", {x}, 1, 128);
    expectFault(pack + way.carry + way.bad + "st.global.b16 [%p0], %h3;", {x},
                {"uninitialised register `%h3` is used as a stored value"}, 1, 128);
  }
}

// Paths of a branch write a register of which each leaves another half open.
TEST_F(Undefined, ElementsOfTwoPaths) {
  const DeviceAddress x = run.fresh(128);
  const std::string paths = laneAddress +
                            "mov.b16 %h1, 7;\nsetp.lt.u32 %q0, %r31, 16;\n@%q0 bra L;\n"
                            "mov.b32 %r1, {%h2, %h1};\nbra M;\nL:\nmov.b32 %r1, {%h1, %h2};\nM:\n"
                            "mov.b32 {%h3, %h4}, %r1;\nselp.b16 %h5, %h3, %h4, %q0;\n"
                            "selp.b16 %h6, %h4, %h3, %q0;\n";
  expectNoFault(paths + "st.global.b16 [%d1], %h5;", {x}, 1);
  expectFault(paths + "st.global.b16 [%d1], %h6;", {x},
              {"uninitialised register `%h6` is used as a stored value", "thread (0,0,0)"}, 1);
}

TEST_F(Undefined, Predicate) {
  expectFault("setp.eq.s32 %q1, %r5, 0;\n@%q1 mov.u32 %r6, 1;", {0},
              {"uninitialised register `%q1` is used as a predicate"});
}

TEST_F(Undefined, ValuesThatDoNotMatterPass) {
  const DeviceAddress x = run.fresh(128);
  // Only the first lane defines %r1; selp takes the defined side; a false operand decides `and`.
  expectNoFault("setp.eq.u32 %q0, %r31, 0;\n@%q0 mov.u32 %r1, 5;\nadd.s32 %r2, %r1, 1;\n"
                "selp.b32 %r3, %r2, %r31, %q0;\nsetp.eq.s32 %q2, %r9, 0;\nsetp.eq.s32 %q3, %r31, 99;\n"
                "and.pred %q4, %q2, %q3;\n@%q4 add.s32 %r3, %r3, 1;\n" +
                    laneAddress + "st.global.b32 [%d1], %r3;",
                {x});
}

TEST_F(Undefined, IsCarriedByLocalMemory) {
  const DeviceAddress x = run.fresh(4);
  expectFault(".local .align 8 .b8 depot[16];\nmov.u64 %d0, depot;\nst.local.b32 [%d0], %r31;\n"
              "ld.local.b64 %d2, [%d0];\nst.global.b64 [%p0], %d2;",
              {x}, {"uninitialised register `%d2` is used as a stored value"});
}

TEST_F(Undefined, IsCarriedBySharedMemory) {
  // Lanes 16 and up have no value: it may change its place, but not reach global memory.
  const DeviceAddress x = run.fresh(128);
  const std::string move =
      "setp.lt.u32 %q0, %r31, 16;\n@%q0 mov.u32 %r1, %r31;\nxor.b32 %r2, %r31, 31;\n"
      "shl.b32 %r3, %r31, 2;\nshl.b32 %r4, %r2, 2;\nst.shared.b32 [%r3], %r1;\nbar.sync 0;\n"
      "ld.shared.b32 %r5, [%r4];\n" +
      laneAddress;
  expectNoFault(move + "setp.lt.u32 %q1, %r2, 16;\n@%q1 st.global.b32 [%d1], %r5;", {x}, 1, 128);
  expectFault(move + "st.global.b32 [%d1], %r5;", {x},
              {"uninitialised register `%r5` is used as a stored value", "thread (0,0,0)"}, 1, 128);
}

} // namespace
} // namespace tegula::runtime::test
