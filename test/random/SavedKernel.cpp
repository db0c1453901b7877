#include "test/random/SavedKernel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>

namespace tegula::random {

static std::string hexOf(const std::vector<uint8_t> &bytes) { return llvm::toHex(bytes, /*LowerCase=*/true); }

static llvm::json::Object describedArgument(const Argument &argument, const Outputs &outputs) {
  llvm::json::Object object{{"name", argument.name},
                            {"type", formatArgType(argument.type)},
                            {"skip", int64_t(argument.skip)},
                            {"bytes", hexOf(bytesOf(argument))}};
  if (!argument.aliasOf.empty())
    object["array"] = argument.aliasOf;
  if (argument.isOutput) {
    object["expected"] = hexOf(outputs.at(argument.name));
    object["ulps"] = argument.ulps;
    object["error"] = argument.error;
  }
  return object;
}

std::optional<Difference> saveKernel(Compiler &compiler, const RandomKernel &kernel,
                                     const std::filesystem::path &folder) {
  Outputs outputs;
  if (std::optional<Difference> problem = interpretSource(compiler, kernel, outputs))
    return problem;
  llvm::json::Array arguments;
  for (const Argument &argument : kernel.arguments)
    arguments.push_back(describedArgument(argument, outputs));
  const llvm::json::Object launch{{"grid", llvm::json::Array{kernel.grid[0], kernel.grid[1], kernel.grid[2]}},
                                  {"num_warps", kernel.numWarps},
                                  {"num_stages", kernel.numStages},
                                  {"num_ctas", kernel.numCtas},
                                  {"arguments", std::move(arguments)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object(launch));
  const std::string name = std::to_string(kernel.seed);
  std::ofstream(folder / (name + ".json")) << text;
  std::ofstream(folder / (name + ".py")) << sourceOf(kernel);
  return std::nullopt;
}

} // namespace tegula::random
