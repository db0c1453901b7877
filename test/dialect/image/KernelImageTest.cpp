#include "dialect/image/KernelImageText.h"

#include <gtest/gtest.h>

using namespace tegula;
using runtime::Result;

namespace {

KernelImage image() {
  KernelImage image;
  image.entry = "softmax_kernel";
  image.kernel = "softmax_kernel";
  image.target = "sm_90a";
  image.sourceFile = "kernels/softmax.py";
  image.numWarps = image.programsPerBlock = 4;
  image.sharedBytes = 1024;
  addParam(image, {"x_ptr", "*fp32", ParamKind::Pointer, 8, 0, 16});
  addParam(image, {"flag", "i1", ParamKind::Integer, 1});
  addParam(image, {"n", "i32", ParamKind::Integer, 4});
  addParam(image, {"scale", "bf16", ParamKind::Float, 2});
  addParam(image, {"tiny", "fp8e5", ParamKind::Float, 1});
  addParam(image, {"eps", "fp64", ParamKind::Float, 8});
  addParam(image, {.name = "row", .type = "i64", .kind = ParamKind::Integer, .size = 8, .finer = 8});
  image.splits = SplitLoop{{1, 2}, 64, 1, true};
  addImplicitPrograms(image, 0);
  return image;
}

const char *const text = R"(// Tegula kernel 1
// kernel   softmax_kernel
// source   kernels/softmax.py
// entry    softmax_kernel
// target   sm_90a
// block    128 threads
// shared   1024 bytes
// programs 4 in a block
// param    *fp32:16 x_ptr
// param    i1 flag
// param    i32 n
// param    bf16 scale
// param    fp8e5 tiny
// param    fp64 eps
// param    i64:1..8 row
// splits   n/64 independent
// implicit u32 programs in x
)";

/// Returns the error for the text with `from` replaced by `to`, without its common prefix.
std::string errorOf(const std::string &from, const std::string &to) {
  std::string changed = text;
  changed.replace(changed.find(from), from.size(), to);
  Result<KernelImage> read = readKernelImage(changed);
  if (read)
    return "";
  EXPECT_EQ(read.error().kind, runtime::ErrorKind::InvalidArgument);
  const std::string front = "cannot read the kernel's PTX: ";
  EXPECT_TRUE(read.error().text.starts_with(front)) << read.error().text;
  return read.error().text.substr(front.size());
}

/// An image with code that agrees with it.
KernelImage withCode() {
  KernelImage image;
  image.entry = "k";
  image.numWarps = 4;
  image.sourceFile = "a.entry b.py";
  addParam(image, {"x", "*fp32", ParamKind::Pointer, 8});
  addParam(image, {"h", "fp16", ParamKind::Float, 2});
  image.ptx = launchText(image) +
              ".visible .entry k(\n\t.param .u64 .ptr .global .align 16 k_param_0,\n\t.param .align 2 .b8 "
              "k_param_1[2]\n)\n.reqntid 128, 1, 1\n{\n\tret;\n}\n\t.file\t1 \"a.entry b.py\"\n";
  return image;
}

/// Returns how the code differs from the rest of the image, or an empty string.
std::string problemOf(const KernelImage &image) {
  Result<void> checked = checkCode(image);
  return checked ? "" : checked.error().text;
}

std::string problemAfter(const std::string &from, const std::string &to) {
  KernelImage changed = withCode();
  changed.ptx.replace(changed.ptx.find(from), from.size(), to);
  return problemOf(changed);
}

/// A kernel of a matrix of n rows, of which maps take boxes: m is in bf16 of the kernel's own, and `*odd,
/// name` needs escapes.
KernelImage withMaps() {
  KernelImage image;
  image.entry = image.kernel = "k";
  image.target = "sm_90a";
  addParam(image, {"a_ptr", "*bf16", ParamKind::Pointer, 8, 0, 16});
  addParam(image, {"n", "i32", ParamKind::Integer, 4});
  addParam(image, {"2 odd, name", "i64", ParamKind::Integer, 8});
  addParam(image, {"eps", "fp32", ParamKind::Float, 4});
  TensorMap map{.base = 0, .element = "bf16", .elementBytes = 2, .swizzle = 128};
  map.axes = {{{64}, {1}, 64}, {{1, 1}, {64, 2}, 128}, {{3, 1}, {1, 2}, 1}};
  image.blocksPerMultiprocessor = 2;
  for (uint8_t axis = 0; axis < 3; ++axis)
    addImplicitPrograms(image, axis);
  addImplicitMap(image, map);
  addImplicitMap(image, {.element = "fp8e5", .elementBytes = 1, .axes = {{{1, 1}, {1}, 256}}});
  return image;
}

/// Returns the error for the header of `withMaps` with `from` replaced by `to`, without its common prefix.
std::string mapErrorOf(const std::string &from, const std::string &to) {
  std::string changed = launchText(withMaps());
  changed.replace(changed.find(from), from.size(), to);
  Result<KernelImage> read = readKernelImage(changed);
  return read ? "" : read.error().text.substr(std::string("cannot read the kernel's PTX: ").size());
}

} // namespace

TEST(KernelImage, ParametersStandAtMultiplesOfTheirSize) {
  const KernelImage placed = image();
  const uint32_t offsets[] = {0, 8, 12, 16, 18, 24, 32};
  for (size_t i = 0; i < placed.params.size(); ++i)
    EXPECT_EQ(placed.params[i].offset, offsets[i]) << i;
  EXPECT_EQ(placed.paramBytes, 40u);
  ASSERT_EQ(placed.implicit.size(), 1u);
  EXPECT_EQ(placed.implicit[0].offset, 40u);
  EXPECT_EQ(placed.implicit[0].size, 4u);
  EXPECT_EQ(entryParamBytes(placed), 44u);
}

TEST(KernelImageText, ProgramsOfClustersHaveAFirst) {
  KernelImage shared;
  shared.entry = "k";
  shared.target = "sm_90a";
  addParam(shared, {"n", "i32", ParamKind::Integer, 4});
  shared.splits = SplitLoop{{1, 0}, 64, 8, false};
  addImplicitFirst(shared);
  const std::string written = launchText(shared);
  EXPECT_NE(written.find("// splits   n/64 by 8\n// implicit u32 first program\n"), std::string::npos)
      << written;
  shared.ptx = written;
  auto read = readKernelImage(written);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->splits, shared.splits);
  EXPECT_EQ(read->implicit, shared.implicit);
  EXPECT_EQ(entryParamBytes(*read), 8u);
}

TEST(KernelImage, ImplicitArgumentsAreAligned) {
  KernelImage odd;
  EXPECT_EQ(entryParamBytes(odd), 0u);
  addParam(odd, {"flag", "i1", ParamKind::Integer, 1});
  addImplicitPrograms(odd, 0);
  EXPECT_EQ(odd.implicit[0].offset, 4u);
  EXPECT_EQ(odd.paramBytes, 1u);
  EXPECT_EQ(entryParamBytes(odd), 8u);
}

TEST(KernelImageText, SaysHowToLaunch) { EXPECT_EQ(launchText(image()), text); }

TEST(KernelImageText, GivesTheImageBack) {
  KernelImage expected = image();
  expected.ptx = launchText(expected) + ".version 8.4\n.target sm_90a\n";
  Result<KernelImage> read = readKernelImage(expected.ptx);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, expected);
  // A kernel without parameters, and lines that end as elsewhere.
  KernelImage bare;
  bare.entry = bare.kernel = "k";
  bare.ptx = launchText(bare);
  for (size_t at = 0; (at = bare.ptx.find('\n', at)) != std::string::npos; at += 2)
    bare.ptx.replace(at, 1, "\r\n");
  read = readKernelImage(bare.ptx);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, bare);
}

TEST(KernelImageText, AnyNameSurvivesInAscii) {
  KernelImage odd = image();
  odd.kernel = "fenêtre";
  odd.entry = "fen$c3$aatre";
  odd.params[0].name = "größe";
  odd.sourceFile = " a \"folder\"\\with\nline ends/é\x7f.py ";
  odd.ptx = launchText(odd);
  for (char c : odd.ptx)
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << odd.ptx;
  EXPECT_NE(odd.ptx.find("// param    *fp32:16 gr\\xc3\\xb6\\xc3\\x9fe\n"), std::string::npos) << odd.ptx;
  Result<KernelImage> read = readKernelImage(odd.ptx);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, odd);
}

TEST(KernelImageText, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf("// Tegula kernel 1", "// Generated by"),
            "expected `// Tegula kernel 1`, found `// Generated by`");
  EXPECT_EQ(errorOf("// Tegula kernel 1", "// Tegula kernel 2"),
            "expected `// Tegula kernel 1`, found `// Tegula kernel 2`");
  EXPECT_EQ(errorOf("// entry ", "// enter "), "expected `// entry ...`, found `// enter    softmax_kernel`");
  EXPECT_EQ(errorOf("softmax.py", "\\x0"), "expected `// source ...`, found `// source   kernels/\\x0`");
  EXPECT_EQ(errorOf("softmax.py", "\\n"), "expected `// source ...`, found `// source   kernels/\\n`");
  EXPECT_EQ(errorOf("// block    128 threads\n", ""),
            "expected `// block N threads`, whole warps and at most 1024, found `// shared   1024 bytes`");
  for (const char *threads : {"0", "33", "1056", "-32", "4294967328", ""})
    EXPECT_EQ(errorOf("128", threads),
              std::string("expected `// block N threads`, whole warps and at most ") +
                  "1024, found `// block    " + threads + " threads`");
  EXPECT_EQ(errorOf("1024 bytes", "1 KiB"), "expected `// shared N bytes`, found `// shared   1 KiB`");
  EXPECT_EQ(errorOf("programs 4", "programs 2"), "expected `// programs N in a block`, 1 or one for each of "
                                                 "4 warps, or `// programs N persistent blocks a "
                                                 "multiprocessor`, found `// programs 2 in a block`");
  EXPECT_EQ(errorOf("programs 4 in a block", "programs 4 in a block, in pairs"),
            "expected `// programs N in a block`, 1 or one for each of 4 warps, or `// programs N persistent "
            "blocks a "
            "multiprocessor`, found `// programs 4 in a block, in pairs`");
  for (const char *param : {"i33 n", "i32", "* n", "i32:0 n", "i32:x n", "fp n", "i32:1..3 n", "i32:1..16 n",
                            "i32:1.. n", "i32..8 n"})
    EXPECT_EQ(errorOf("i32 n", param),
              std::string("expected `// param TYPE NAME`, found `// param    ") + param + "`");
  for (const char *splits :
       {"n", "n/0", "m/64", "x_ptr/64", "n/64 by 3", "n/64 by 16", "/64", "0/64 by x", "n/64 dependent"})
    EXPECT_EQ(errorOf("// splits   n/64 independent", std::string("// splits   ") + splits),
              std::string("expected `// splits   SIZE/STEP [by BLOCKS] [independent]`, found `// splits   ") +
                  splits + "`");
  EXPECT_EQ(errorOf("u32 programs in x", "u64 programs in x"),
            "expected `// implicit u32 programs in x`, found `// implicit u64 programs in x`");
  EXPECT_EQ(errorOf("// implicit u32 programs in x\n",
                    "// implicit u32 programs in x\n// implicit u32 programs in x\n"),
            "expected `// implicit map ...`, found `// implicit u32 programs in x`");
  std::string many = text;
  for (int i = 0; i < 600; ++i)
    many.insert(many.find("// param"), "// param    *i8 p\n");
  EXPECT_EQ(readKernelImage(many).error().text,
            "cannot read the kernel's PTX: expected at most 4352 bytes of "
            "parameters, found `// param    *i8 p`");
  EXPECT_EQ(readKernelImage("").error().text,
            "cannot read the kernel's PTX: expected `// Tegula kernel 1`, found ``");
}

TEST(KernelImageText, TheCodeAgreesWithTheFirstLines) { EXPECT_EQ(problemOf(withCode()), ""); }

TEST(KernelImageText, SaysWhereTheCodeDiffers) {
  EXPECT_EQ(problemAfter(".entry k(", ".func k("), "expected one `.entry`");
  EXPECT_EQ(problemAfter("ret;", ".entry l()"), "expected one `.entry`");
  EXPECT_EQ(problemAfter("entry k(", "entry other("), "expected the entry `k`, found `other`");
  EXPECT_EQ(problemAfter(".u64 .ptr .global .align 16 k_param_0", ".u32 k_param_0"),
            "expected 8 bytes for parameter `x`, found `.u32 k_param_0`");
  EXPECT_EQ(problemAfter("[2]", "[4]"),
            "expected 2 bytes for parameter `h`, found `.align 2 .b8 k_param_1[4]`");
  EXPECT_EQ(problemAfter("[2]", "[]"),
            "expected 2 bytes for parameter `h`, found `.align 2 .b8 k_param_1[]`");
  EXPECT_EQ(problemAfter(",\n\t.param .align 2 .b8 k_param_1[2]", ""), "expected 2 parameters, found 1");
  EXPECT_EQ(problemAfter(".reqntid 128", ".reqntid 64"), "expected `.reqntid 128`");
  EXPECT_EQ(problemAfter(".reqntid 128", ".reqntid 1280"), "expected `.reqntid 128`");
}

TEST(KernelImageText, ImplicitArgumentsStandInTheCode) {
  KernelImage packed = withCode();
  packed.programsPerBlock = 4;
  addImplicitPrograms(packed, 0);
  EXPECT_EQ(problemOf(packed), "expected 3 parameters, found 2");
  const std::string last = "\t.param .align 2 .b8 k_param_1[2]";
  packed.ptx.replace(packed.ptx.find(last), last.size(), last + ",\n\t.param .u32 k_param_2");
  EXPECT_EQ(problemOf(packed), "");
  packed.ptx.replace(packed.ptx.find(".u32"), 4, ".u64");
  EXPECT_EQ(problemOf(packed), "expected 4 bytes for parameter `programs in x`, found `.u64 k_param_2`");
}

TEST(KernelImage, TensorMapsStandAtMultiplesOf64) {
  const KernelImage image = withMaps();
  ASSERT_EQ(image.implicit.size(), 5u);
  EXPECT_EQ(image.paramBytes, 28u);
  EXPECT_EQ(image.implicit[0].offset, 28u);
  EXPECT_EQ(image.implicit[3].offset, 64u);
  EXPECT_EQ(image.implicit[3].alignment, 64u);
  EXPECT_EQ(image.implicit[4].offset, 192u);
  EXPECT_EQ(entryParamBytes(image), 320u);
}

TEST(KernelImage, RulesOfTensorMaps) {
  const KernelImage image = withMaps();
  const TensorMap good = image.implicit[3].map;
  const auto problemOf = [&](auto change) {
    TensorMap map = good;
    change(map);
    Result<void> checked = checkTensorMap(image, map);
    return checked ? "" : checked.error().text;
  };
  EXPECT_EQ(problemOf([](TensorMap &) {}), "");
  for (uint32_t base : {1u, 3u, 4u})
    EXPECT_EQ(problemOf([&](TensorMap &map) { map.base = base; }),
              "expected a pointer as the base of a tensor map");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.element = "bfloat"; }),
            "expected the type of an element of 2 bytes, found `bfloat`");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.elementBytes = 4; }),
            "expected the type of an element of 4 bytes, found `bf16`");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.axes.clear(); }),
            "expected 1 to 5 axes of a tensor map, found 0");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.axes.resize(6); }),
            "expected 1 to 5 axes of a tensor map, found 6");
  for (uint32_t param : {0u, 3u, 4u})
    EXPECT_EQ(problemOf([&](TensorMap &map) { map.axes[1].size.param = param; }),
              "expected an integer as size and stride of a tensor map");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.axes[1].stride.param = 0; }),
            "expected an integer as size and stride of a tensor map");
  for (uint32_t side : {0u, 257u})
    EXPECT_EQ(problemOf([&](TensorMap &map) { map.axes[1].box = side; }),
              "expected sides of a box from 1 to 256, found " + std::to_string(side));
  for (const LaunchNumber &stride : {LaunchNumber{2}, LaunchNumber{1, 1}})
    EXPECT_EQ(problemOf([&](TensorMap &map) { map.axes[0].stride = stride; }),
              "expected the stride 1 along the innermost axis of a tensor map");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.axes[0].box = 7; }),
            "expected rows of a box of a multiple of 16 bytes, found 14");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.swizzle = 16; }),
            "expected a swizzle of 0, 32, 64 or 128 bytes, found 16");
  EXPECT_EQ(problemOf([](TensorMap &map) { map.swizzle = 64; }),
            "expected rows of a box of at most the 64 bytes of its swizzle, found 128");
}

TEST(KernelImageText, SaysHowToMakeTensorMapsAndThatBlocksWalkPrograms) {
  KernelImage image = withMaps();
  image.ptx = launchText(image);
  EXPECT_NE(image.ptx.find("// programs 2 persistent blocks a multiprocessor\n"), std::string::npos)
      << image.ptx;
  const std::string lines = R"(// implicit u32 programs in x
// implicit u32 programs in y
// implicit u32 programs in z
// implicit map a_ptr bf16 sizes=64,n,3*n strides=1,64*\x32\x20odd\x2c\x20name,\x32\x20odd\x2c\x20name box=64,128,1 swizzle=128
// implicit map a_ptr fp8e5 sizes=n strides=1 box=256 swizzle=0
)";
  EXPECT_TRUE(image.ptx.ends_with(lines)) << image.ptx;
  Result<KernelImage> read = readKernelImage(image.ptx);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, image);
}

TEST(KernelImageText, SaysThatProgramsFollowEachOtherInAnOrderOfTheCompilers) {
  for (const bool isPersistent : {false, true}) {
    KernelImage made = isPersistent ? withMaps() : image();
    made.isOrdered = true;
    made.hasPairs = isPersistent;
    made.ptx = launchText(made);
    const char *line = isPersistent
                           ? "// programs 2 persistent blocks a multiprocessor, in pairs, in groups of rows\n"
                           : "// programs 4 in a block, in groups of rows\n";
    EXPECT_NE(made.ptx.find(line), std::string::npos) << made.ptx;
    Result<KernelImage> read = readKernelImage(made.ptx);
    ASSERT_TRUE(read) << read.error().text;
    EXPECT_EQ(*read, made);
  }
}

TEST(KernelImageText, SaysThatNeighbouringBlocksMayLoadForEachOther) {
  KernelImage image = withMaps();
  image.hasPairs = true;
  image.ptx = launchText(image);
  EXPECT_NE(image.ptx.find("// programs 2 persistent blocks a multiprocessor, in pairs\n"), std::string::npos)
      << image.ptx;
  Result<KernelImage> read = readKernelImage(image.ptx);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, image);
}

TEST(KernelImage, SaysWhatADeviceMayRefuse) {
  KernelImage plain;
  addImplicitPrograms(plain, 0);
  EXPECT_EQ(partsThatMayBeRefused(plain), "");
  KernelImage maps = plain;
  addImplicitMap(maps, {.element = "fp32", .elementBytes = 4, .axes = {{{64}, {1}, 4}}});
  EXPECT_EQ(partsThatMayBeRefused(maps), "tensor maps");
  plain.clusterBlocks = maps.clusterBlocks = 2;
  EXPECT_EQ(partsThatMayBeRefused(plain), "clusters");
  EXPECT_EQ(partsThatMayBeRefused(maps), "tensor maps and clusters");
}

TEST(KernelImageText, SaysThatAClusterRunsEachProgram) {
  KernelImage image;
  image.entry = image.kernel = "rows";
  image.clusterBlocks = 4;
  image.ptx = launchText(image);
  EXPECT_NE(image.ptx.find("// programs 1 in a cluster of 4\n"), std::string::npos) << image.ptx;
  Result<KernelImage> read = readKernelImage(image.ptx);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, image);
  for (const char *wrong :
       {"1 in a cluster of 3", "2 in a cluster of 4", "1 in a cluster of ", "1 in a cluster of 16"}) {
    std::string text = image.ptx;
    const std::string right = "1 in a cluster of 4";
    text.replace(text.find(right), right.size(), wrong);
    Result<KernelImage> found = readKernelImage(text);
    ASSERT_FALSE(found) << wrong;
    EXPECT_NE(found.error().text.find("expected `// programs 1 in a cluster of N` of 2, 4 or 8"),
              std::string::npos)
        << found.error().text;
  }
}

TEST(KernelImageText, SaysWhatIsWrongWithATensorMap) {
  const std::string line = "map a_ptr fp8e5 sizes=n strides=1 box=256 swizzle=0";
  const std::string form =
      "expected `// implicit map POINTER ELEMENT sizes=N,... strides=1,N,... box=N,... swizzle=N`, "
      "each N a number, an integer parameter or number*parameter, found `// implicit ";
  for (const char *wrong :
       {"map", "map ", "map a_ptr", "map b_ptr fp8e5 sizes=n strides=1 box=256 swizzle=0",
        "map a_ptr fp9 sizes=n strides=1 box=256 swizzle=0",
        "map a_ptr fp8e5 strides=1 sizes=n box=256 swizzle=0", "map a_ptr fp8e5 sizes=n strides=1 box=256",
        "map a_ptr fp8e5 sizes=n strides=1 box=256 swizzle=",
        "map a_ptr fp8e5 sizes=n strides=1 box=256 swizzle=0 0",
        "map a_ptr fp8e5 sizes=n strides=1 box=x swizzle=0",
        "map a_ptr fp8e5 sizes=m strides=1 box=256 swizzle=0",
        "map a_ptr fp8e5 sizes=2*2 strides=1 box=256 swizzle=0",
        "map a_ptr fp8e5 sizes=2n strides=1 box=256 swizzle=0",
        "map a_ptr fp8e5 sizes=2* strides=1 box=256 swizzle=0",
        "map a_ptr i8 sizes=18446744073709551616 strides=1 box=16 swizzle=0",
        "map a_ptr fp8e5 sizes=n,n strides=1 box=256,1 swizzle=0",
        "map a_ptr fp8e5 sizes=n strides=1,1 box=256 swizzle=0",
        "map a_ptr fp8e5 sizes=n strides=1 box=256,1 swizzle=0",
        "map a_ptr fp8e5 sizes=n strides=-1 box=256 swizzle=0"}) {
    const std::string found = mapErrorOf(line, wrong);
    const std::string shown = std::string(wrong) == "map " ? "map" : wrong;
    EXPECT_EQ(found,
              (shown == "map" ? "expected `// implicit map ...`, found `// implicit " : form) + shown + "`");
  }
  EXPECT_EQ(
      mapErrorOf(line, "map n fp8e5 sizes=n strides=1 box=256 swizzle=0"),
      "expected a pointer as the base of a tensor map in `// implicit map n fp8e5 sizes=n strides=1 box=256 "
      "swizzle=0`");
  EXPECT_EQ(
      mapErrorOf(line, "map a_ptr fp8e5 sizes= strides= box= swizzle=0"),
      "expected 1 to 5 axes of a tensor map, found 0 in `// implicit map a_ptr fp8e5 sizes= strides= box= "
      "swizzle=0`");
  EXPECT_EQ(mapErrorOf("map a_ptr fp8e5", "u32 programs in x\n// implicit map a_ptr fp8e5"),
            "expected `// implicit map ...`, found `// implicit u32 programs in x`");
  std::string many = launchText(withMaps());
  for (int i = 0; i < 32; ++i)
    many += "// implicit " + line + "\n";
  EXPECT_EQ(readKernelImage(many).error().text,
            "cannot read the kernel's PTX: expected at most 4352 bytes of "
            "parameters, found `// implicit " +
                line + "`");
}

TEST(KernelImageText, TensorMapsStandInTheCode) {
  KernelImage image = withCode();
  addImplicitMap(image, {.element = "fp32", .elementBytes = 4, .axes = {{{64}, {1}, 4}}});
  const std::string last = "\t.param .align 2 .b8 k_param_1[2]";
  image.ptx.replace(image.ptx.find(last), last.size(), last + ",\n\t.param .align 64 .b8 k_param_2[128]");
  EXPECT_EQ(problemOf(image), "");
  KernelImage small = image;
  small.ptx.replace(small.ptx.find("128]"), 4, "64]");
  EXPECT_EQ(problemOf(small),
            "expected 128 bytes for parameter `map of x`, found `.align 64 .b8 k_param_2[64]`");
  KernelImage loose = image;
  loose.ptx.replace(loose.ptx.find(".align 64"), 9, ".align 8");
  EXPECT_EQ(problemOf(loose),
            "expected `.align 64 ` for parameter `map of x`, found `.align 8 .b8 k_param_2[128]`");
}
