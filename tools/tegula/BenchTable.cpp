// The options of `tegula bench`.
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace tegula::cli {

// What completion offers; tools/bench/kernels has them again, with what they mean.

static std::vector<std::string> kernelNames() {
  return {"softmax",
          "layernorm",
          "vector_add",
          "gelu",
          "softmax_persistent",
          "softmax_online",
          "layernorm_any",
          "rmsnorm",
          "row_sums",
          "column_sums",
          "cross_entropy",
          "histogram",
          "transpose",
          "strided_copy",
          "decode",
          "decode_paged",
          "matmul",
          "attention",
          "attention_causal",
          "matmul_row_major",
          "matmul_a_transposed",
          "matmul_b_transposed",
          "fp8_matmul",
          "int8_matmul",
          "batched_matmul",
          "small_batched_matmul",
          "perceptron"};
}

static std::vector<std::string> peerNames() { return {"triton", "cublas", "cudnn", "torch", "copy"}; }

/// Returns the options that say what is measured.
static std::vector<Option> subjectOptions(BenchCommand &command) {
  return {
      {"--list", "", "print the kernels, their types and shapes, and measure nothing", &command.list},
      {"--dtype", "TYPE", "only this element type; may be repeated", &command.dtypes},
      {"--n", "N",
       "elements, columns or the sides of a product, instead of the usual shapes; may be repeated",
       &command.sizes},
      {"--shape", "MxNxK",
       "a shape, as --list spells it for a kernel, instead of the usual ones; may be repeated",
       &command.shapes},
      {"--random", "N",
       "of products MxNxK: N random shapes, sides from 16 to 16384, a third multiples of 8 and a third odd",
       &command.random},
      {"--seed", "S", "with --random: which shapes (1)", &command.seed},
      choiceOption("--device", "DEVICE",
                   "auto, cuda, cuda:N or emulator, which counts and does not time (auto)", &command.device,
                   {"auto", "cuda", "emulator"}),
      {"--time", "MS", "milliseconds of launches to measure for each config (100)", &command.milliseconds},
      {"--again", "", "try all configs, even where an earlier run has chosen", &command.again},
      {"--sweep", "", "of products: try all blocks, warps and stages that may fit, and print the best",
       &command.sweep},
      {"--set", "NAME=V,...", "what --sweep tries of BLOCK_M, BLOCK_N, BLOCK_K, num_warps or num_stages",
       &command.swept},
      {"--dry-run", "",
       "compile every config and print how it is launched; with an assembler also registers and spills",
       &command.dryRun},
  };
}

/// Options that choose what to compare with.
static std::vector<Option> peerOptions(BenchCommand &command) {
  return {
      {"--beside", "PEERS",
       fmt::format("peers to measure in turns with, commas between: {}; alone it means all of them",
                   fmt::join(peerNames(), ", ")),
       &command.beside, peerNames(), "all"},
      {"--rounds", "N", "with --beside: rounds in which all take turns (5)", &command.rounds},
      {"--budget", "S", "with --beside: seconds after which no new case begins", &command.budget},
      {"--errors", "", "of products: errors and PyTorch's, against double precision, instead of rates",
       &command.errors},
      fileOption(
          "--python", "PROGRAM",
          "the Python to measure with, which has PyTorch and Triton where these are measured (python3)",
          &command.python),
      {"--check",
       "RATIO",
       "fail where a kernel spills registers, the assembler warns of it or makes its products wait, it was "
       "not measured, or has less than RATIO of a peer's rate; alone it looks at no ratios",
       &command.check,
       {},
       "0"},
  };
}

static std::vector<Option> outputOptions(BenchCommand &command) {
  return {
      fileOption("--csv", "FILE", "write CSV; `-` is standard output, also below", &command.csv),
      fileOption("--json", "FILE", "write JSON", &command.json),
      fileOption("--svg", "FILE", "write a picture", &command.svg),
      fileOption(
          "--markdown", "FILE",
          "write Markdown; in a file that is there the tables between lines `<!-- tegula bench memory -->` "
          "and `<!-- end of tegula bench memory -->` are replaced; so for products, counts and errors",
          &command.markdown),
  };
}

CommandTable benchTable(CommandValues &values) {
  BenchCommand &command = values.bench;
  CommandTable table{.name = "bench", .summary = "measure the bundled kernels", .needed = "[KERNEL]..."};
  table.positionals = {
      {"KERNEL", "a bundled kernel; without any, all", &command.kernels, false, false, kernelNames()}};
  for (const std::vector<Option> &part : {subjectOptions(command), peerOptions(command),
                                          outputOptions(command), std::vector{colourOption(values)}})
    llvm::append_range(table.options, part);
  table.details = "On a GPU each kernel is timed with cold caches in the configs of its file or, where that "
                  "gives none, of a\n"
                  "list, and the best is reported: the median of launches and their quantiles 0.2 and 0.8. "
                  "The choice of\n"
                  "config is kept for the shape, and only that one is timed the next time. On the emulator "
                  "one launch of a\n"
                  "small shape is counted.\n"
                  "\n"
                  "It runs in Python, over the package `tegula`; with --beside that needs PyTorch. Each side "
                  "tries its configs\n"
                  "once, results are compared with PyTorch's, then the best of all sides take turns, L2 "
                  "flushed: rates are\n"
                  "medians over the rounds, ratios medians of the rounds' ratios, above 1 where Tegula is "
                  "faster. cuBLAS is the\n"
                  "better of b by rows and by columns.";
  table.examples = {
      {"tegula bench softmax layernorm --csv=rates.csv --svg=rates.svg", "rates of two kernels on the GPU"},
      {"tegula bench matmul --shape=4096x4096x4096 --beside=triton,cublas --check=0.9",
       "a product compared with Triton and cuBLAS; fail below nine tenths of either"},
      {"tegula bench matmul --random=200 --beside=cublas --rounds=3",
       "how near products of any shape come to cuBLAS"},
      {"tegula bench --beside --rounds=7 --markdown=kernels/README.md", "the tables of the kernels' README"},
  };
  table.work = [&command] { return benchCommand(command); };
  return table;
}

} // namespace tegula::cli
