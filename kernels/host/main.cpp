// tegula-kernels: runs the bundled kernels and compares them with references in double precision.
//
//   tegula-kernels [--device=auto|cuda|emulator] [--dtype=TYPE]... [--n=N]... [--m=M] [--k=K]
//                  [--sources=FOLDER] [KERNEL...]
//
// n is the number of elements, or of columns where a kernel goes by rows. A product is of m by k and k by n,
// all three n where only that is given; attention has m heads of n queries, k long. Without --n each kernel
// runs its own sizes, and those of matrices fifty random shapes. Exit status: 0 all agree, 1 something
// differs, 2 usage, 3 the device or a kernel failed.
#include "kernels/host/Check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace tegula;
using namespace tegula::kernels;

namespace {

struct Options {
  std::string device;
  std::vector<int64_t> sizes;
  int64_t m = 0, k = 0;
  std::vector<std::string> names, dtypes;
};

int usage(const std::string &problem) {
  std::fprintf(
      stderr,
      "tegula-kernels: %s\n"
      "usage: tegula-kernels [--device=auto|cuda|emulator] [--dtype=TYPE]... [--n=N]... [--m=M] [--k=K]\n"
      "                      [--sources=FOLDER] [KERNEL...]\n",
      problem.c_str());
  return 2;
}

/// Returns the sources next to an installed command, else those in the tree it was built from.
std::string findSources() {
  std::error_code ignored;
  auto installed =
      std::filesystem::canonical("/proc/self/exe", ignored).parent_path() / "../share/tegula/kernels";
  return std::filesystem::exists(installed, ignored) ? installed.string() : TEGULA_KERNEL_SOURCES;
}

/// "n=1000", "m=64 n=1000 k=32", or that the shapes are the kernel's own.
std::string sizeText(const Problem &problem) {
  if (problem.n == 0)
    return "own shapes";
  std::string text = "n=" + std::to_string(problem.n);
  if (problem.m != 0)
    text = "m=" + std::to_string(problem.m) + " " + text;
  if (problem.k != 0)
    text += " k=" + std::to_string(problem.k);
  return text;
}

bool runOne(const HostSide &kernel, const Problem &problem) {
  auto start = std::chrono::steady_clock::now();
  Outcome outcome = kernel.run(problem);
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  std::printf("%-18s %-5s %-10s largest error %-10.3g %7.1f ms  %s%s%s\n", kernel.name.c_str(),
              dtypeName(problem.dtype).c_str(), sizeText(problem).c_str(), outcome.worstError, spent.count(),
              outcome.wrong == 0 ? "ok" : "WRONG", outcome.note.empty() ? "" : "; ", outcome.note.c_str());
  if (outcome.wrong != 0)
    std::printf("  %lld of the elements are wrong, the first %s\n", (long long)outcome.wrong,
                outcome.firstWrong.c_str());
  std::fflush(stdout);
  return outcome.wrong == 0;
}

int runAll(const Options &options) {
  const std::vector<HostSide> all = {vectorAdd(),
                                     gelu(),
                                     stridedCopy(),
                                     transpose(),
                                     softmax(),
                                     softmaxPersistent(),
                                     softmaxOnline(),
                                     layernorm(),
                                     layernormAny(),
                                     rmsnorm(),
                                     matrixSums(),
                                     crossEntropy(),
                                     histogram(),
                                     matmul(),
                                     matmulGrouped(),
                                     matmulTuned(),
                                     batchedMatmul(),
                                     smallBatchedMatmul(),
                                     int8Matmul(),
                                     int8MatmulScaled(),
                                     fp8Matmul(),
                                     attention(),
                                     attentionCausal(),
                                     attentionBackward(),
                                     attentionBackwardCausal(),
                                     decode(),
                                     allReduce(),
                                     perceptron()};
  for (const std::string &name : options.names)
    if (std::none_of(all.begin(), all.end(), [&](const HostSide &k) { return k.name == name; }))
      return usage("no kernel is called `" + name + "`");
  Device device = Device::open(options.device);
  std::printf("device: %s (%s)\n", device.name().c_str(), device.arch().c_str());
  int runs = 0, wrong = 0;
  for (const HostSide &kernel : all) {
    if (!options.names.empty() &&
        std::find(options.names.begin(), options.names.end(), kernel.name) == options.names.end())
      continue;
    std::vector<int64_t> sizes = options.sizes.empty() ? kernel.sizes : options.sizes;
    if (sizes.empty())
      sizes = {0};
    for (Dtype dtype : kernel.dtypes)
      for (int64_t n : sizes) {
        if (!options.dtypes.empty() &&
            std::find(options.dtypes.begin(), options.dtypes.end(), dtypeName(dtype)) == options.dtypes.end())
          continue;
        ++runs;
        Problem problem{device, n, dtype, uint64_t(n) * 31 + uint64_t(dtype), options.m, options.k};
        wrong += !runOne(kernel, problem);
      }
  }
  if (runs == 0) {
    std::string types;
    for (const std::string &dtype : options.dtypes)
      types += (types.empty() ? "`" : ", `") + dtype + "`";
    return usage("expected a type that a chosen kernel has, found " + types);
  }
  std::printf("%d runs, %d wrong\n", runs, wrong);
  return wrong != 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  sourceFolder() = findSources();
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.starts_with("--device="))
      options.device = word.substr(9);
    else if (word.starts_with("--sources="))
      sourceFolder() = word.substr(10);
    else if (word.starts_with("--dtype="))
      options.dtypes.push_back(word.substr(8));
    else if (word.starts_with("--n=") || word.starts_with("--m=") || word.starts_with("--k=")) {
      char *end = nullptr;
      int64_t size = std::strtoll(word.c_str() + 4, &end, 10);
      if (*end != 0 || size < 1 || size > (int64_t(1) << 28))
        return usage("expected a size from 1 to 268435456, found `" + word.substr(4) + "`");
      if (word[2] == 'n')
        options.sizes.push_back(size);
      else
        (word[2] == 'm' ? options.m : options.k) = size;
    } else if (word.starts_with("-"))
      return usage("unknown option `" + word + "`");
    else
      options.names.push_back(word);
  }
  if ((options.m != 0 || options.k != 0) && options.sizes.empty())
    return usage("--m and --k need --n");
  try {
    return runAll(options);
  } catch (const Error &error) {
    std::fprintf(stderr, "tegula-kernels: %s\n", error.what());
    return error.kind() == ErrorKind::Compile ? 1 : 3;
  }
}
