// The public C++ API on the emulator.
#include "ApiFixture.h"

#include <tegula/tegula_c.h>

#include <cmath>
#include <fstream>

namespace {

using ApiTest = ApiFixture;

TEST_F(ApiTest, TheExampleOfTheDocumentation) {
  const int n = 3000;
  std::vector<float> xs(n), ys(n, 0.25f);
  for (int i = 0; i < n; ++i)
    xs[i] = float(i);
  auto program = tegula::Program::load(TEGULA_KERNELS "/vector_add.py");
  auto add = program.kernel("add_kernel").constexpr_("BLOCK_SIZE", 1024).numWarps(4);
  tegula::Array<float> x(device, xs), y(device, ys), out(device, n);
  add.launch(device, tegula::cdiv(n, 1024), x, y, out, n);
  const std::vector<float> sum = out.download();
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(sum[i], float(i) + 0.25f);
  EXPECT_EQ(program.kernels(), std::vector<std::string>{"add_kernel"});
  EXPECT_EQ(add.name(), "add_kernel");
}

TEST_F(ApiTest, ModulesFromGivenFolders) {
  constexpr const char *text =
      "import triton\nfrom vector_add import add_kernel\n@triton.jit\ndef twice(x, n):\n"
      "    add_kernel(x, x, x, n, 16)\n";
  tegula::Array<float> x(device, std::vector<float>(16, 1.5f));
  tegula::Program::parse("twice.py", text, {TEGULA_KERNELS}).kernel().launch(device, 1, x, 16);
  for (float found : x.download())
    ASSERT_EQ(found, 3.0f);
  EXPECT_EQ(tegula::Program::load(TEGULA_KERNELS "/vector_add.py", {"/nowhere"}).kernels().size(), 1u);
}

template <typename T> void fillAndCheck(const tegula::Device &device, const tegula::Kernel &fill, T value) {
  tegula::Array<T> x(device, std::vector<T>(200));
  fill.launch(device, {2, 1}, x, 200, float(value));
  for (T found : x.download())
    ASSERT_EQ(float(found), float(value));
}

TEST_F(ApiTest, ElementTypes) {
  fillAndCheck(device, fill, 1.5f);
  fillAndCheck(device, fill, 2.5);
  fillAndCheck(device, fill, tegula::f16(0.5));
  fillAndCheck(device, fill, tegula::bf16(-3));
  fillAndCheck<int8_t>(device, fill, -7);
  fillAndCheck<uint16_t>(device, fill, 300);
  fillAndCheck<int64_t>(device, fill, 1 << 20);
}

TEST_F(ApiTest, HalfTypes) {
  EXPECT_EQ(float(tegula::f16(65504)), 65504.0f);
  EXPECT_TRUE(std::isinf(float(tegula::f16(1e6))));
  EXPECT_EQ(float(tegula::bf16(1 + 0x1p-9)), 1.0f);
}

TEST_F(ApiTest, PartsOfAnArray) {
  tegula::Array<float> x(device, std::vector<float>(10, 1.0f));
  fill.launch(device, 1, x.from(4), 3, 2.0f);
  EXPECT_EQ(x.download(), (std::vector<float>{1, 1, 1, 1, 2, 2, 2, 1, 1, 1}));
}

TEST_F(ApiTest, ArgumentsWithATypeAndWithout) {
  tegula::Array<float> x(device, std::vector<float>(64));
  fill.launch(device, 1, x, tegula::Argument(tegula::Dtype::i64, 64), 3);
  EXPECT_EQ(x.download().back(), 3.0f);
  fill.launch(device, 1, x, 64, 4.0f, 64); // the constexpr parameter, by position
  EXPECT_EQ(x.download().back(), 4.0f);
  fill.constexpr_("value", 5.0).launch(device, 1, x, 64); // any parameter may be bound
  EXPECT_EQ(x.download().back(), 5.0f);
}

TEST_F(ApiTest, TuplesAreArguments) {
  const tegula::Kernel sum = tegula::Program::parse("sum.py", R"(
import triton
import triton.language as tl


@triton.jit
def add(parts, out, n, BLOCK: tl.constexpr = 32):
    i = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for part in tl.static_range(len(parts)):
        total += tl.load(parts[part][0] + i, mask=i < n, other=0.0) * parts[part][1]
    tl.store(out + i, total, mask=i < n)
)")
                                 .kernel();
  tegula::Array<float> x(device, std::vector<float>(32, 1.0f)), y(device, std::vector<float>(32, 10.0f));
  tegula::Array<float> out(device, std::vector<float>(32));
  sum.launch(device, 1, std::make_tuple(std::forward_as_tuple(x, 2), std::forward_as_tuple(y, 0.5f)), out,
             32);
  EXPECT_EQ(out.download().back(), 7.0f);
  sum.launch(device, 1, std::make_tuple(std::forward_as_tuple(y, 1)), out,
             32); // 1 is known, and there are fewer of them
  EXPECT_EQ(out.download().back(), 10.0f);
  sum.launch(device, 1, std::tuple<>(), out, 32);
  EXPECT_EQ(out.download().back(), 0.0f);
  using P = std::pair<tegula::ErrorKind, std::string>;
  EXPECT_EQ(
      thrown([&] { fill.launch(device, 1, x, 32, 1.0f, std::tuple(1)); }),
      P(tegula::ErrorKind::InvalidArgument, "expected another type for parameter `BLOCK`, found a tuple"));
  EXPECT_EQ(
      thrown([&] { sum.launch(device, 1, std::make_tuple(std::forward_as_tuple(x, 1)), out, 32, 32, 32); }),
      P(tegula::ErrorKind::InvalidArgument, "expected at most 4 arguments for `add`, found 5"));
}

TEST_F(ApiTest, AnEmptyGridIsRefused) {
  using P = std::pair<tegula::ErrorKind, std::string>;
  tegula::Array<float> x(device, std::vector<float>(1, 7.0f));
  const P x0(tegula::ErrorKind::InvalidArgument,
             "cannot launch `fill`: expected at least 1 block in x, found 0");
  const P z0(tegula::ErrorKind::InvalidArgument,
             "cannot launch `fill`: expected at least 1 block in z, found 0");
  EXPECT_EQ(thrown([&] { fill.launch(device, 0, x, 1, 2.0f); }), x0);
  EXPECT_EQ(thrown([&] { fill.launch(device, {1, 2, 0}, x, 1, 2.0f); }), z0);
  EXPECT_EQ(thrown([&] { fill.launchOn(tegula::Stream(device), device, 0, x, 1, 2.0f); }), x0);
  EXPECT_EQ(thrown([&] { fill.prepare(device, x, 1, 2.0f).launch(0, x, 1, 2.0f); }), x0);
  const tegula::Device interpreter = tegula::Device::open("interpret");
  tegula::Array<float> y(interpreter, std::vector<float>(1, 7.0f));
  EXPECT_EQ(thrown([&] { fill.launch(interpreter, 0, y, 1, 2.0f); }), x0);
  EXPECT_EQ(x.download().front(), 7.0f);
}

TEST_F(ApiTest, WrongUse) {
  using K = tegula::ErrorKind;
  using P = std::pair<K, std::string>;
  tegula::Array<float> x(device, std::vector<float>(4));
  EXPECT_EQ(thrown([&] { tegula::Device::open("gpu"); }),
            P(K::InvalidArgument, "expected the device `auto`, `cuda`, `cuda:N`, `emulator`, `emulator:N` or "
                                  "`interpret`, found `gpu`"));
  EXPECT_EQ(thrown([&] { fill.numWarps(-1); }),
            P(K::InvalidArgument, "expected a power of two from 1 to 32 warps, found 4294967295"));
  EXPECT_EQ(thrown([&] { fill.numStages(99); }), P(K::InvalidArgument, "expected 1 to 32 stages, found 99"));
  EXPECT_THROW(fill.numStages(-1), tegula::Error);
  EXPECT_NO_THROW(fill.numStages(0).numWarps(0)); // the defaults
  const P unknown = thrown([&] { fill.without("simt"); });
  EXPECT_EQ(unknown.first, K::InvalidArgument);
  EXPECT_TRUE(unknown.second.starts_with("unknown feature `simt`; known: `wgmma`")) << unknown.second;
  EXPECT_NO_THROW(fill.without("wgmma").without(""));
  EXPECT_EQ(thrown([&] { fill.constexpr_("BLOK", 1); }),
            P(K::InvalidArgument, "kernel `fill` has no parameter `BLOK`"));
  EXPECT_EQ(thrown([&] { fill.launch(device, 1, x); }),
            P(K::InvalidArgument, "kernel `fill` has no value for parameter `n`"));
  EXPECT_EQ(thrown([&] { fill.launch(device, -1, x, 4, 1.0f); }),
            P(K::InvalidArgument, "expected from 1 to 4294967295 blocks in x, found -1"));
  EXPECT_EQ(thrown([&] { fill.launch(device, {1, 65536}, x, 4, 1.0f); }),
            P(K::OutOfResources, "cannot launch `fill`: expected at most 65535 blocks in y, found 65536"));
  EXPECT_EQ(thrown([&] { x.upload({1, 2}); }), P(K::InvalidArgument, "expected 4 elements, found 2"));
  EXPECT_EQ(thrown([&] { x.buffer().upload("", 8, 12); }),
            P(K::InvalidArgument, "expected a range within 16 bytes, found 8 bytes from 12"));
  EXPECT_EQ(thrown([&] { tegula::Array<double>(device, SIZE_MAX); }).first, K::OutOfResources);
  EXPECT_EQ(thrown([&] { tegula::Program::load("/no/such/kernel.py"); }),
            P(K::Io, "cannot read `/no/such/kernel.py`: No such file or directory"));
}

TEST_F(ApiTest, MistakesInTheSource) {
  auto [kind, text] = thrown([&] {
    auto broken =
        tegula::Program::parse("broken.py", "import triton\n@triton.jit\ndef k(x):\n    x = blok\n");
    broken.kernel("k").launch(device, 1, 5);
  });
  EXPECT_EQ(kind, tegula::ErrorKind::Compile);
  EXPECT_NE(text.find("broken.py:4:9: error: "), std::string::npos) << text;
  auto [syntaxKind, syntaxText] = thrown([&] { tegula::Program::parse("s.py", "def (:\n").kernel(); });
  EXPECT_EQ(syntaxKind, tegula::ErrorKind::Compile);
  EXPECT_NE(syntaxText.find("s.py:1:"), std::string::npos) << syntaxText;
}

TEST_F(ApiTest, FaultsNameTheLine) {
  tegula::Array<float> x(device, std::vector<float>(4));
  auto [kind, text] = thrown([&] {
    fill.launch(device, 1, x, 100, 1.0f);
    device.synchronize();
  });
  EXPECT_EQ(kind, tegula::ErrorKind::Fault);
  EXPECT_NE(text.find("fill.py:9"), std::string::npos) << text;
}

TEST_F(ApiTest, BuffersMove) {
  tegula::Buffer a(device, 16), b(device, 32);
  const uint64_t address = a.address();
  b = std::move(a);
  EXPECT_EQ(b.address(), address);
  EXPECT_EQ(b.bytes(), 16u);
  tegula::Buffer c(std::move(b));
  EXPECT_EQ(c.address(), address);
}

TEST_F(ApiTest, ConfigsAndHeuristics) {
  using P = std::pair<tegula::ErrorKind, std::string>;
  auto tuned = tegula::Program::parse("tuned.py", R"(
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=b // 32) for b in (32, 128)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tell(x_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    tl.store(x_ptr, BLOCK)
    tl.store(x_ptr + 1, EVEN)
    tl.store(x_ptr + 2, n)
)")
                   .kernel();
  EXPECT_EQ(tuned.configCount(), 2);
  EXPECT_EQ(fill.configCount(), 0);
  tegula::Array<int32_t> x(device, std::vector<int32_t>(3));
  auto told = [&](const tegula::Kernel &kernel, int n) {
    kernel.launch(device, 1, x, n);
    return x.download();
  };
  EXPECT_EQ(told(tuned.config(0), 64), (std::vector<int32_t>{32, 1, 64}));
  EXPECT_EQ(told(tuned.config(1), 64), (std::vector<int32_t>{128, 0, 64}));
  EXPECT_EQ(told(tuned.config(1), 128), (std::vector<int32_t>{128, 1, 128}));
  EXPECT_EQ(told(tuned.constexpr_("BLOCK", 16).config(1), 64), (std::vector<int32_t>{16, 1, 64}));
  EXPECT_EQ(told(tuned.config(1).constexpr_("EVEN", 5), 64), (std::vector<int32_t>{128, 5, 64}));
  EXPECT_EQ(thrown([&] { tuned.config(2); }),
            P(tegula::ErrorKind::InvalidArgument, "kernel `tell` has 2 configs, from 0 to 1, found 2"));
  EXPECT_EQ(thrown([&] { tuned.config(-1); }),
            P(tegula::ErrorKind::InvalidArgument, "kernel `tell` has 2 configs, from 0 to 1, found -1"));
  EXPECT_EQ(thrown([&] { fill.config(0); }).second,
            "kernel `fill` has no configs, as no `triton.autotune` gives any");
}

TEST_F(ApiTest, StreamsAndEvents) {
  tegula::Stream stream(device);
  tegula::Event before(device), after(device);
  tegula::Array<float> x(device, 128);
  before.record(stream);
  fill.launchOn(stream, device, 1, x, 128, 2.5f);
  after.record(stream);
  stream.synchronize();
  after.synchronize();
  EXPECT_GE(after.millisecondsSince(before), 0.0f);
  EXPECT_EQ(x.download()[127], 2.5f);
  EXPECT_EQ(stream.handle(), nullptr);
  // The caller's own stream is the caller's to wait for.
  fill.launchOn(tegula::Stream::foreign(nullptr), device, 1, x, 128, 3.5f);
  EXPECT_EQ(thrown([] { tegula::Stream::foreign(nullptr).synchronize(); }).first,
            tegula::ErrorKind::InvalidArgument);
  EXPECT_EQ(x.download()[0], 3.5f);
}

TEST_F(ApiTest, PropertiesOfADevice) {
  const tegula::DeviceProperties properties = device.properties();
  EXPECT_EQ(properties.kind, "emulator");
  EXPECT_EQ(properties.arch, device.arch());
  EXPECT_EQ(properties.warpSize, 32u);
  EXPECT_GE(properties.maxSharedPerBlock, 48u * 1024);
}

TEST_F(ApiTest, AVariantTellsWhatItIs) {
  tegula::Array<float> x(device, 128);
  const tegula::Variant variant = fill.numWarps(2).prepare(device, x, 128, 1.5f);
  const tegula::VariantProperties properties = variant.properties();
  EXPECT_EQ(properties.kernel, "fill");
  EXPECT_EQ(properties.arch, device.arch());
  EXPECT_GE(properties.threads, 32u);
  EXPECT_EQ(properties.numWarps, 2u);
  EXPECT_NE(variant.ptx().find(".visible .entry fill"), std::string::npos);
  EXPECT_NE(variant.stage("tile").find("tile.store"), std::string::npos);
  EXPECT_EQ(thrown([&] { variant.stage("assembly"); }).first, tegula::ErrorKind::InvalidArgument);
  variant.launch(1, x, 128, 1.5f);
  EXPECT_EQ(x.download()[5], 1.5f);
}

TEST_F(ApiTest, AVariantForAnotherArchitectureIsCompiledWithoutADevice) {
  const tegula::Variant variant = fill.arch("sm_80").compile({"*fp32:16", "i32", "fp32"});
  EXPECT_EQ(variant.properties().arch, "sm_80");
  EXPECT_NE(variant.ptx().find(".target sm_80"), std::string::npos);
  EXPECT_EQ(thrown([&] { variant.launch(1, tegula::Pointer{}, 1, 1.0f); }).second,
            "cannot launch `fill`: it was compiled without a device");
}

TEST_F(ApiTest, OptionsOfTheCode) {
  tegula::Array<float> x(device, 128);
  const tegula::Kernel changed =
      fill.maxRegisters(64).debug().fpFusion(false).dotPrecision("ieee").cooperative().ctas(2);
  changed.launch(device, 1, x, 128, 1.0f);
  EXPECT_NE(changed.prepare(device, x, 128, 1.0f).ptx().find(".maxnreg 64"), std::string::npos);
  EXPECT_EQ(thrown([&] { fill.maxRegisters(256); }).first, tegula::ErrorKind::InvalidArgument);
  EXPECT_EQ(thrown([&] { fill.ctas(3); }).second, "expected 1, 2, 4 or 8 blocks of a cluster, found 3");
}

TEST_F(ApiTest, LibrariesOfFunctions) {
  constexpr const char *text = R"(
import triton
import triton.language as tl

@tl.core.extern
def doubled(x):
    return tl.core.extern_elementwise("", "", [x], {(tl.float32,): ("doubled", tl.float32)}, is_pure=True)

@triton.jit
def doubles(x):
    i = tl.arange(0, 32)
    tl.store(x + i, doubled(tl.load(x + i)))
)";
  const std::string path = testing::TempDir() + "doubled.ll";
  std::ofstream(path) << "define float @doubled(float %x) {\n  %y = fadd float %x, %x\n  ret float %y\n}\n";
  const tegula::Kernel kernel = tegula::Program::parse("doubles.py", text).kernel();
  tegula::Array<float> x(device, 32);
  x.upload(std::vector<float>(32, 1.5f));
  kernel.externLib("mine", path).launch(device, 1, x);
  EXPECT_EQ(x.download(), std::vector<float>(32, 3.0f));
  EXPECT_NE(thrown([&] { kernel.launch(device, 1, x); }).second.find("`doubled` is a function of a library"),
            std::string::npos);
  EXPECT_EQ(thrown([&] { kernel.externLib("mine", ""); }).second,
            "expected a name and a path of each library of `extern_libs`, found `mine` and ``");
}

TEST_F(ApiTest, FunctionsAndDescriptorsAreArguments) {
  constexpr const char *text = R"(
import triton
import triton.language as tl

@triton.jit
def twice(x):
    return x * 2

@triton.jit
def apply(a, out, F: tl.constexpr):
    block = F(a.load([2, 4]))
    rows = tl.arange(0, 2)
    columns = tl.arange(0, 4)
    tl.store(out + rows[:, None] * 4 + columns[None, :], block)
)";
  std::vector<float> values(4 * 8);
  for (int i = 0; i < 32; ++i)
    values[size_t(i)] = float(i);
  tegula::Array<float> a(device, values), out(device, 8);
  tegula::Program::parse("apply.py", text)
      .kernel("apply")
      .constexpr_("F", tegula::Constexpr::function("twice"))
      .constexpr_("a", tegula::Constexpr::descriptor({2, 4}))
      .launch(device, 1, tegula::Descriptor{a.from(0), {4, 8}, {8, 1}}, out);
  EXPECT_EQ(out.download(), (std::vector<float>{40, 42, 44, 46, 56, 58, 60, 62}));
}
TEST_F(ApiTest, MistakesAreData) {
  try {
    tegula::Program::parse("wrong.py", "import triton\n@triton.jit\ndef k(value):\n    y = valeu + 1\n")
        .kernel()
        .launch(device, 1, 1);
    FAIL() << "nothing was thrown";
  } catch (const tegula::Error &error) {
    ASSERT_EQ(error.messages().size(), 1u);
    const tegula::Message &message = error.messages()[0];
    EXPECT_EQ(message.severity, tegula::Message::Severity::Error);
    EXPECT_EQ(message.file, "wrong.py");
    EXPECT_EQ(message.line, 4u);
    EXPECT_EQ(message.column, 9u);
    EXPECT_EQ(message.help, "did you mean `value`?");
    const tegula::Error copy = error;
    EXPECT_EQ(copy.messages()[0].line, 4u);
  }
  const tegula::Error plain(tegula::ErrorKind::Io, "x");
  EXPECT_TRUE(plain.messages().empty());
  EXPECT_TRUE(plain.resource().name.empty());
}

TEST_F(ApiTest, MessagesOfCompilations) {
  auto program = tegula::Program::parse(
      "said.py", "import triton\nimport triton.language as tl\n@triton.jit\ndef k(x):\n"
                 "    tl.static_print('so many:', 3)\n");
  program.kernel().launch(device, 1, 1);
  const std::vector<tegula::Message> messages = program.takeMessages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].message, "so many: 3");
  EXPECT_TRUE(program.takeMessages().empty());
}

TEST_F(ApiTest, AnArrayThatWasMovedFromIsEmpty) {
  tegula::Array<float> x(device, std::vector<float>(5, 1.0f));
  tegula::Array<float> y = std::move(x);
  EXPECT_EQ(x.size(), 0u);
  EXPECT_EQ(x.address(), 0u);
  EXPECT_TRUE(x.download().empty());
  EXPECT_EQ(y.download(), std::vector<float>(5, 1.0f));
}

TEST_F(ApiTest, HandlesGoOverToC) {
  tegula_device *handle = device.toC();
  tegula_device_properties properties{};
  properties.size = sizeof properties;
  tegula_device_get_properties(handle, &properties);
  EXPECT_EQ(properties.name, device.name());
  tegula::Device back = tegula::Device::fromC(handle);
  tegula_device_close(handle);
  tegula::Array<float> x(back, 128);
  tegula_kernel *kernel = fill.toC();
  size_t count = 0;
  EXPECT_STREQ(tegula_kernel_parameters(kernel, &count)[0].name, "x_ptr");
  EXPECT_EQ(count, 4u);
  tegula::Kernel::fromC(kernel).launch(back, 1, x, 128, 4.5f);
  tegula_kernel_free(kernel);
  EXPECT_EQ(x.download()[7], 4.5f);
  EXPECT_EQ(thrown([] { tegula::Device::fromC(nullptr); }).second, "expected a device, found null");
}

TEST_F(ApiTest, FrozenProcessesCompileNothing) {
  tegula::Array<float> x(device, 128);
  fill.launch(device, 1, x, 100, 1.0f);
  tegula::freeze();
  EXPECT_NO_THROW(fill.launch(device, 1, x, 99, 2.0f));
  EXPECT_EQ(thrown([&] { fill.launch(device, 1, x, 112, 2.0f); }).first, tegula::ErrorKind::Frozen);
  tegula::thaw();
  EXPECT_NO_THROW(fill.launch(device, 1, x, 112, 2.0f));
  EXPECT_EQ(thrown([] { tegula::loadBundle("nowhere.tgb"); }).first, tegula::ErrorKind::Io);
}

} // namespace
