// Bugs that random kernels found, reduced: each is a kernel that behaved differently when compiled, or did
// not compile.
#include "test/random/Differential.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::random;

namespace {

Argument array(const char *name, ScalarKind type, size_t count, bool isOutput = true) {
  Argument made;
  made.name = name;
  made.type = {type, 1, {16}};
  made.isOutput = isOutput;
  made.elements.resize(count);
  for (size_t i = 0; i < count && !isOutput; ++i)
    made.elements[i] = i % 7;
  return made;
}

void expectNoDifference(const RandomKernel &kernel) {
  static Compiler compiler;
  const std::optional<Difference> difference = compare(compiler, kernel, {.schedules = 2});
  EXPECT_FALSE(difference) << describe(kernel, *difference);
}

} // namespace

// The atomic took the layout of its operands and left its result, which is unused, in another.
TEST(FoundByRandomKernels, AtomicOfAReshapedTensorHadTwoLayouts) {
  RandomKernel kernel;
  kernel.arguments = {array("x", ScalarKind::Int32, 16, false), array("y", ScalarKind::Float32, 32)};
  kernel.body = {{"v = tl.load(x + (tl.arange(0, 4)[:, None] + tl.arange(0, 4)[None, :] * 4))", {}, {}},
                 {"w = (tl.reshape(v, (16,)) & 15).to(tl.float32)", {}, {}},
                 {"tl.atomic_add(y + (tl.zeros((16,), tl.int32) & 31), w)", {}, {}}};
  expectNoDifference(kernel);
}

// Stores to one place had layouts of their own, of what each stores: the second was not the last everywhere.
TEST(FoundByRandomKernels, StoresToOnePlaceInOtherLayoutsRaced) {
  RandomKernel kernel;
  kernel.numWarps = 4;
  kernel.arguments = {array("x", ScalarKind::Int32, 2048, false), array("y", ScalarKind::Float16, 512)};
  const std::string turned = "(tl.arange(0, 32)[:, None] + tl.arange(0, 16)[None, :] * 32)";
  kernel.body = {{"v = tl.full((32, 16), 1, tl.float16)", {}, {}},
                 {"w = tl.load(x + " + turned + " * 2)", {}, {}},
                 {"tl.store(y + " + turned + ", v)", {}, {}},
                 {"v = tl.minimum(v + (w & 15).to(tl.float16), 4)", {}, {}},
                 {"tl.store(y + " + turned + ", v)", {}, {}}};
  expectNoDifference(kernel);
}

// LLVM packs a value with a half that it leaves undefined, and unpacks it again: the emulator took the whole
// for undefined.
TEST(FoundByRandomKernels, HalfOfAPackedRegisterWasTakenForUndefined) {
  RandomKernel kernel;
  kernel.grid = {2, 1, 1};
  kernel.arguments = {array("x", ScalarKind::BFloat16, 948, false), array("y", ScalarKind::BFloat16, 1024),
                      array("z", ScalarKind::Int32, 1024), array("w", ScalarKind::BFloat16, 1024)};
  const std::string rows = "(tl.arange(0, 8)[:, None, None] + tl.arange(0, 2)[None, :, None] * 8 + "
                           "tl.arange(0, 32)[None, None, :] * 16)";
  const std::string plain = "(tl.arange(0, 8)[:, None, None] * 64 + tl.arange(0, 2)[None, :, None] * 32 + "
                            "tl.arange(0, 32)[None, None, :])";
  const std::string turned = "(tl.arange(0, 8)[:, None, None] * 64 + tl.arange(0, 32)[None, :, None] * 2 + "
                             "tl.arange(0, 2)[None, None, :])";
  kernel.body = {{"pid = tl.program_id(0)", {}, {}},
                 {"i = pid * 512 + " + rows + " * 2", {}, {}},
                 {"m = i < 948", {}, {}},
                 {"v = tl.where(m, tl.load(x + i, mask=m), 2)", {}, {}},
                 {"tl.store(y + pid * 512 + " + turned + ", tl.trans(v, 0, 2, 1))", {}, {}},
                 {"tl.store(z + pid * 512 + " + plain + ", tl.full((8, 2, 32), 1, tl.int32))", {}, {}},
                 {"tl.store(w + pid * 512 + " + rows + ", v)", {}, {}}};
  expectNoDifference(kernel);
}

// The canonicalizer made one conversion from integers to eight bits of the two in the source, and nothing
// knew it.
TEST(FoundByRandomKernels, IntegersBecameFloatsOfEightBitsAtOnce) {
  for (const char *type : {"tl.float8e4nv", "tl.float8e5"}) {
    RandomKernel kernel;
    kernel.arguments = {array("x", ScalarKind::Int32, 1024, false), array("y", ScalarKind::Float32, 1024)};
    const std::string cast = std::string(".to(tl.float32).to(") + type + ")";
    kernel.body = {{"i = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]", {}, {}},
                   {"a = (tl.load(x + i) - 3)" + cast, {}, {}},
                   {"b = (i & 3).to(tl.uint32)" + cast, {}, {}},
                   {"tl.store(y + i, tl.dot(a, b))", {}, {}}};
    expectNoDifference(kernel);
  }
}

// The map of a buffer moved bytes of some columns past each other, so that copies of 16 were not whole.
TEST(FoundByRandomKernels, BytesContiguousAcrossKWereCopiedInPieces) {
  RandomKernel kernel;
  kernel.numWarps = 1;
  kernel.arguments = {array("x", ScalarKind::Int8, 64 * 96, false),
                      array("w", ScalarKind::Int8, 96 * 16, false), array("y", ScalarKind::Int32, 1024)};
  kernel.body = {{"r = tl.arange(0, 64)", {}, {}},
                 {"c = tl.arange(0, 16)", {}, {}},
                 {"k = tl.arange(0, 32)", {}, {}},
                 {"s = tl.zeros((64, 16), tl.int32)", {}, {}},
                 {"for i in tl.range(0, 3, num_stages=2):",
                  {{"a = tl.load(x + r[:, None] + (k[None, :] + i * 32) * 64)", {}, {}},
                   {"b = tl.load(w + (k[:, None] + i * 32) * 16 + c[None, :])", {}, {}},
                   {"s = tl.dot(a, b, acc=s)", {}, {}}},
                  {}},
                 {"tl.store(y + r[:, None] * 16 + c[None, :], s)", {}, {}}};
  expectNoDifference(kernel);
}

// The barrier inside an op of its own shared memory has no fence, and the one before TMA's copies
// to the same bytes was left out: what a sum had written could land after what TMA copied.
TEST(FoundByRandomKernels, TheEngineWroteWhereASumHadJustBeen) {
  RandomKernel kernel;
  auto number = [](const char *name, uint64_t value) {
    Argument made;
    made.name = name;
    made.type = {ScalarKind::Int32, 0, {}};
    made.elements = {value};
    return made;
  };
  kernel.arguments = {
      array("x", ScalarKind::BFloat16, 1280, false), number("n", 77),  array("y", ScalarKind::Float32, 512),
      array("z", ScalarKind::Float16, 10128, false), number("m", 211), array("w", ScalarKind::Float32, 2048)};
  for (size_t index : {0, 3})
    llvm::fill(kernel.arguments[index].elements, 0);
  kernel.body = {
      {"i = tl.arange(0, 32)", {}, {}},
      {"c = tl.arange(0, 16)", {}, {}},
      {"a = tl.zeros((32, 16), tl.float32)", {}, {}},
      {"for k in range(0, n, 32):",
       {{"t = tl.load(x + (k + i)[:, None] + c[None, :] * 80, mask=(k + i)[:, None] < n, other=0.0)", {}, {}},
        {"a = tl.dot(tl.full((32, 32), 1, tl.bfloat16), t, a)", {}, {}}},
       {}},
      {"tl.store(y + i[:, None] * 16 + c[None, :], a)", {}, {}},
      {"j = tl.arange(0, 64)", {}, {}},
      {"h = tl.full((64,), -1000.0, tl.float32)", {}, {}},
      {"s = tl.zeros((64, 32), tl.float32)", {}, {}},
      {"for k in range(0, m, 64):",
       {{"t = tl.load(z + i[:, None] + (k + j)[None, :] * 48, mask=(k + j)[None, :] < m, other=0.0)", {}, {}},
        {"p = tl.dot(tl.full((64, 32), 1, tl.float16), t)", {}, {}},
        {"s = s * tl.where(tl.maximum(h, tl.max(p, 1)) > h + 4, 0.0, 1.0)[:, None]", {}, {}}},
       {}},
      {"tl.store(w + j[:, None] * 32 + i[None, :], s)", {}, {}}};
  expectNoDifference(kernel);
}

// A part of the lanes' places that was the thread's number itself counted as just made, and what came next
// was put right behind that number, in front of what it is computed from.
TEST(FoundByRandomKernels, WhatIsMadeOfTheThreadsNumberStoodInFrontOfIt) {
  RandomKernel kernel;
  kernel.numWarps = 8;
  kernel.arguments = {array("x", ScalarKind::Int8, 64 * 128, false),
                      array("w", ScalarKind::Int8, 128 * 256, false),
                      array("y", ScalarKind::Int32, 64 * 256)};
  kernel.body = {{"m = tl.arange(0, 64)", {}, {}},
                 {"n = tl.arange(0, 256)", {}, {}},
                 {"k = tl.arange(0, 128)", {}, {}},
                 {"s = tl.zeros((64, 256), tl.int32)", {}, {}},
                 {"for i in range(0, 128, 128):",
                  {{"a = tl.load(x + m[:, None] * 128 + k[None, :])", {}, {}},
                   {"b = tl.load(w + k[:, None] * 256 + n[None, :])", {}, {}},
                   {"s = tl.dot(a, b, acc=s)", {}, {}}},
                  {}},
                 {"tl.store(y + m[:, None] * 256 + n[None, :], s)", {}, {}}};
  expectNoDifference(kernel);
}
