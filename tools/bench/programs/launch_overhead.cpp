// Host time of a launch whose variant is known: through the C++ API, through the C ABI, and by the driver
// alone.
//
//   launch-overhead
//
// Prints nanoseconds for 3 and 19 arguments, and each way's ratio to a bare `cuLaunchKernel` in the same run.
// Needs a CUDA driver, but no toolkit. Where there is no GPU, a driver that does nothing shows what is added
// to it:
//
//   LD_LIBRARY_PATH=build/release/lib/null-driver launch-overhead
//
// Launches go in batches, small enough that the queue of a GPU never fills, with a wait in between that is
// not counted; ways take turns, and each gives the median of its batches.
#include <tegula/tegula.h>
#include <tegula/tegula_c.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace {

constexpr int batches = 301, launchesOfBatch = 200;

const char *const source = R"(
import triton
import triton.language as tl


@triton.jit
def three(x_ptr, y_ptr, n):
    tl.store(x_ptr, tl.load(y_ptr) + n)


@triton.jit
def nineteen(p0, p1, p2, p3, p4, p5, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, eps):
    sums = n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9 + n10 + n11
    tl.store(p0, tl.load(p1) + tl.load(p2) + tl.load(p3) + tl.load(p4) + tl.load(p5) + sums + eps)
)";

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "launch-overhead: %s\n", what);
  std::exit(1);
}

void check(tegula_error *error) {
  if (error)
    fail(tegula_error_text(error));
}

/// The calls of the driver that a program without any library would make.
struct BareDriver {
  int (*getDevice)(int *, int) = nullptr;
  int (*retain)(void **, int) = nullptr;
  int (*setCurrent)(void *) = nullptr;
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                void **) = nullptr;

  BareDriver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      fail(dlerror());
    bind(library, "cuDeviceGet", getDevice);
    bind(library, "cuDevicePrimaryCtxRetain", retain);
    bind(library, "cuCtxSetCurrent", setCurrent);
    bind(library, "cuLaunchKernel", launch);
    int device = 0;
    void *context = nullptr;
    if (getDevice(&device, 0) || retain(&context, device) || setCurrent(context))
      fail("the primary context cannot be made current");
  }
  template <typename Call> void bind(void *library, const char *name, Call &call) {
    call = reinterpret_cast<Call>(dlsym(library, name));
    if (!call)
      fail(name);
  }
};

/// A way to launch, with the nanoseconds a launch of each of its batches took.
template <typename Launch> struct Way {
  Launch launch;
  std::vector<double> times{};

  void runBatch(const tegula::Device &device) {
    device.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launchesOfBatch; ++i)
      launch();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    times.push_back(took.count() / launchesOfBatch);
  }
  double median() {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
  }
};
template <typename Launch> Way(Launch) -> Way<Launch>;

/// The launch that all ways do: the same arguments in each way's form.
struct Subject {
  const char *name;
  std::vector<tegula::Argument> cpp;
  std::vector<tegula_argument> c;
  std::vector<uint64_t> bare; ///< each at the front of its eight bytes

  void add(const tegula::Argument &forCpp, const tegula_argument &forC, uint64_t forDriver) {
    cpp.push_back(forCpp);
    c.push_back(forC);
    bare.push_back(forDriver);
  }
};

void addPointer(Subject &subject, const tegula::Array<float> &array) {
  subject.add(array, {TEGULA_ARG_POINTER, TEGULA_FP32, {.integer = array.address()}}, array.address());
}
void addInteger(Subject &subject, int value) {
  subject.add(value, {TEGULA_ARG_INT, TEGULA_UNTYPED, {.integer = uint64_t(int64_t(value))}},
              uint32_t(value));
}
void addFloat(Subject &subject, float value) {
  subject.add(value, {TEGULA_ARG_FLOAT, TEGULA_UNTYPED, {.floating = value}}, std::bit_cast<uint32_t>(value));
}

void measure(const tegula::Device &device, tegula_device *cDevice, tegula_program *cProgram,
             const BareDriver &driver, Subject &subject) {
  const tegula::Kernel kernel = tegula::Program::parse("launch.py", source).kernel(subject.name).numWarps(1);
  tegula_kernel_options options{};
  options.size = sizeof options;
  options.name = subject.name;
  options.num_warps = 1;
  tegula_kernel *cKernel = nullptr;
  tegula_variant *variant = nullptr;
  check(tegula_kernel_create(cProgram, &options, &cKernel));
  check(tegula_kernel_prepare(cKernel, cDevice, subject.c.data(), subject.c.size(), &variant));
  tegula_variant_properties properties{};
  properties.size = sizeof properties;
  tegula_variant_get_properties(variant, &properties);
  std::vector<void *> pointers;
  pointers.reserve(subject.bare.size());
  for (uint64_t &value : subject.bare)
    pointers.push_back(&value);
  const uint32_t grid[3] = {1, 1, 1};

  Way bare{[&] {
    if (driver.launch(properties.function, 1, 1, 1, 32, 1, 1, 0, nullptr, pointers.data(), nullptr))
      fail("cuLaunchKernel failed");
  }};
  Way cpp{[&] { kernel.launchWith(device, 1, subject.cpp.data(), subject.cpp.size()); }};
  Way c{[&] {
    check(tegula_kernel_launch(cKernel, cDevice, grid, subject.c.data(), subject.c.size(), nullptr));
  }};
  Way known{
      [&] { check(tegula_variant_launch(variant, grid, subject.c.data(), subject.c.size(), nullptr)); }};
  for (int batch = 0; batch < batches; ++batch) {
    bare.runBatch(device);
    cpp.runBatch(device);
    c.runBatch(device);
    known.runBatch(device);
  }
  const double base = bare.median();
  std::printf("%9zu %8.0f %8.0f %5.2f %8.0f %5.2f %8.0f %5.2f\n", subject.c.size(), base, cpp.median(),
              cpp.median() / base, c.median(), c.median() / base, known.median(), known.median() / base);
  tegula_variant_free(variant);
  tegula_kernel_free(cKernel);
}

} // namespace

int main() {
  try {
    const tegula::Device device = tegula::Device::open("cuda");
    tegula_device *cDevice = nullptr;
    tegula_program *program = nullptr;
    check(tegula_device_open("cuda", &cDevice));
    check(tegula_program_parse("launch.py", source, std::strlen(source), &program));
    const BareDriver driver;
    const tegula::Array<float> array(device, 64);
    Subject three{"three", {}, {}, {}}, nineteen{"nineteen", {}, {}, {}};
    addPointer(three, array);
    addPointer(three, array);
    addInteger(three, 1000);
    for (int i = 0; i < 6; ++i)
      addPointer(nineteen, array);
    for (int i = 0; i < 12; ++i)
      addInteger(nineteen, 1000 + i);
    addFloat(nineteen, 0.5f);
    std::printf("%s, nanoseconds of a launch\n", device.name().c_str());
    std::printf("arguments     bare      C++ ratio    C ABI ratio  variant ratio\n");
    measure(device, cDevice, program, driver, three);
    measure(device, cDevice, program, driver, nineteen);
    tegula_program_free(program);
    tegula_device_close(cDevice);
  } catch (const tegula::Error &error) {
    fail(error.what());
  }
  return 0;
}
