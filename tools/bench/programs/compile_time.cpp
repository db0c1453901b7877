// Measures a cold compile, source to PTX, in a warm process: parsed and compiled anew each time.
//
//   compile-time [ROUNDS]
//   compile-time --growth
//
// Prints the median, the least and the largest of each bundled kernel in milliseconds; or, for kernels of
// growing size (growing.py), the milliseconds for each thousand instructions of PTX: what rises with the size
// is not linear. The budget is `MaxMsPerThousand`, with which the last column is compared.
#include "compiler/driver/Compiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

using namespace tegula;

namespace {

/// A bundled kernel.
struct Case {
  const char *file, *kernel;
  const char *parameters; ///< as `specOf` reads them
  uint32_t warps = 4;
};

const Case cases[] = {
    {"vector_add.py", "add_kernel",
     "x_ptr=*fp32:16 y_ptr=*fp32:16 out_ptr=*fp32:16 n=i32:16 BLOCK_SIZE=1024"},
    {"gelu.py", "gelu_kernel", "x_ptr=*bf16:16 y_ptr=*bf16:16 n=i32:16 BLOCK_SIZE=1024"},
    {"strided_copy.py", "strided_copy_kernel",
     "x_ptr=*fp32:16 y_ptr=*fp32:16 n=i32 x_stride=i32 y_stride=i32 BLOCK_SIZE=1024"},
    {"transpose.py", "transpose_kernel",
     "x_ptr=*fp32:16 y_ptr=*fp32:16 M=i32:16 N=i32:16 x_stride=i32:16 y_stride=i32:16 BLOCK_M=64 BLOCK_N=64"},
    {"softmax.py", "softmax_kernel", "x_ptr=*fp32:16 y_ptr=*fp32:16 stride=i32:16 n=i32:16 BLOCK=4096", 8},
    {"layernorm.py", "layernorm_kernel",
     "x_ptr=*fp32:16 y_ptr=*fp32:16 weight_ptr=*fp32:16 bias_ptr=*fp32:16 mean_ptr=*fp32:16 "
     "rstd_ptr=*fp32:16 stride=i32:16 n=i32:16 eps=fp32 BLOCK=4096",
     8},
    {"matmul.py", "matmul_grouped_kernel",
     "a_ptr=*bf16:16 b_ptr=*bf16:16 c_ptr=*bf16:16 bias_ptr=none M=i32:16 N=i32:16 K=i32:16 stride_am=i32:16 "
     "stride_ak=i32=1 stride_bk=i32:16 stride_bn=i32=1 stride_cm=i32:16 stride_cn=i32=1 BLOCK_M=128 "
     "BLOCK_N=256 BLOCK_K=64 GROUP_M=8",
     8},
    {"attention.py", "attention_kernel",
     "q_ptr=*bf16:16 k_ptr=*bf16:16 v_ptr=*bf16:16 o_ptr=*bf16:16 lse_ptr=*fp32:16 stride_head=i32:16 "
     "stride_row=i32:16 N=i32:16 scale=fp32 D=64 CAUSAL=true EVEN_N=true BLOCK_M=128 BLOCK_N=64",
     8},
};

/// Milliseconds of processor time that a thousand instructions of PTX may take at any size. Measured at the
/// sizes below, on two cores that had other work as well: 40 to 195.
constexpr double MaxMsPerThousand = 200;

/// A kernel of growing.py, with sizes of which each is twice the one before.
struct Ladder {
  const char *kernel, *parameters;
  int64_t least, most;
};

const Ladder ladders[] = {
    {"chain", "x=*i32:16 y=*i32:16", 64, 4096},
    {"sums", "x=*fp32:16 y=*fp32:16", 50, 800},
    {"turns", "x=*fp32:16 y=*fp32:16", 50, 400},
    {"updates", "x=*fp32:16", 100, 1600},
    {"product",
     "a=*fp16:16 b=*fp16:16 c=*fp32:16 K=i32 stride_am=i32 stride_ak=i32 stride_bk=i32 stride_bn=i32", 32,
     256},
};

std::string readFile(const std::string &path) {
  return llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))->getBuffer().str();
}

/// Reads `parameters`: NAME=TYPE or NAME=VALUE, with blanks between.
KernelSpec specOf(const char *kernel, llvm::StringRef parameters) {
  KernelSpec spec;
  spec.kernel = kernel;
  for (llvm::StringRef parameter : llvm::split(parameters, ' ')) {
    const auto [name, text] = parameter.split('=');
    ArgSpec &arg = spec.args[name.str()];
    if (int64_t number = 0; !text.getAsInteger(10, number))
      arg = BoundValue{number};
    else if (text == "true")
      arg = BoundValue{true};
    else
      arg = std::get<ArgSpec>(parseArgType(text));
  }
  return spec;
}

/// Counts the lines of PTX that are instructions.
size_t instructionsOf(llvm::StringRef ptx) {
  return size_t(llvm::count_if(llvm::split(ptx, '\n'), [](llvm::StringRef line) {
    line = line.ltrim(" \t");
    return line.ends_with(";") && !line.starts_with(".") && !line.starts_with("/");
  }));
}

struct Timed {
  double ms = 0, processorMs = 0;
  CompileResult result;
};

/// One compilation, from source.
Timed timeOf(Compiler &compiler, const std::string &file, const std::string &text, const KernelSpec &spec) {
  auto start = std::chrono::steady_clock::now();
  std::clock_t before = std::clock();
  CompileResult result = compiler.compile(*compiler.parse(file, text), spec);
  double processor = 1e3 * double(std::clock() - before) / CLOCKS_PER_SEC;
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  if (!result.image) {
    std::fprintf(stderr, "%s", render(result.diagnostics).c_str());
    std::exit(1);
  }
  return {spent.count(), processor, std::move(result)};
}

void measureBundled(int rounds) {
  Compiler compiler;
  for (const Case &test : cases) {
    std::string text = readFile(std::string(TEGULA_KERNEL_SOURCES) + "/" + test.file);
    KernelSpec spec = specOf(test.kernel, test.parameters);
    spec.numWarps = test.warps;
    spec.numStages = 3;
    std::vector<double> times;
    for (int round = -3; round < rounds; ++round) { // the first three warm the process up
      double ms = timeOf(compiler, test.file, text, spec).ms;
      if (round >= 0)
        times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-16s median %6.2f ms, least %6.2f, largest %6.2f\n", test.file, times[times.size() / 2],
                times.front(), times.back());
  }
}

void measureGrowth() {
  Compiler compiler;
  std::string text = readFile(TEGULA_GROWING_KERNELS);
  std::printf("%-10s %6s %13s %10s %22s\n", "kernel", "size", "instructions", "ms", "ms for each thousand");
  for (const Ladder &ladder : ladders)
    for (int64_t size = ladder.least; size <= ladder.most; size *= 2) {
      KernelSpec spec = specOf(ladder.kernel, ladder.parameters);
      spec.args["STEPS"] = BoundValue{size};
      Timed best = timeOf(compiler, "growing.py", text, spec);
      for (int round = 0; round < 2; ++round)
        if (Timed again = timeOf(compiler, "growing.py", text, spec); again.processorMs < best.processorMs)
          best = std::move(again);
      size_t instructions = instructionsOf(best.result.image->ptx);
      double each = best.processorMs * 1000 / double(instructions);
      std::printf("%-10s %6lld %13zu %10.1f %22.1f%s\n", ladder.kernel, (long long)size, instructions,
                  best.processorMs, each, each > MaxMsPerThousand ? "  above the budget" : "");
    }
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--growth")
    measureGrowth();
  else
    measureBundled(int(std::clamp(argc > 1 ? std::strtol(argv[1], nullptr, 10) : 50l, 1l, 10000l)));
}
