#include "tools/tegula/bench/Request.h"

#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tegula::cli::bench {

using runtime::Result;

namespace {

std::vector<std::string> splitAtCommas(const std::string &text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Fills a request from what the command line says.
class Reader {
public:
  explicit Reader(const BenchCommand &command) : command(command) {}
  Result<void> readOptions();
  Request asked;

private:
  Result<void> readKernels();
  Result<void> readTypes();
  Result<void> readShapes();
  Result<void> readPeers();
  Result<void> readSwept();

  const BenchCommand &command;
};

Result<void> Reader::readKernels() {
  std::vector<std::string> known;
  for (const Entry &entry : catalogue())
    known.push_back(entry.name);
  for (const std::string &name : command.kernels)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return usageError(fmt::format("expected a bundled kernel: {}, found `{}`{}", fmt::join(known, ", "),
                                    name, didYouMean(name, known)));
  for (const Entry &entry : catalogue()) {
    const bool isNamed =
        std::find(command.kernels.begin(), command.kernels.end(), entry.name) != command.kernels.end();
    if (isNamed && command.sweep && !entry.canSweep())
      return usageError(fmt::format("`--sweep` is for products, which `{}` is not", entry.name));
    if (isNamed && command.errors && !entry.hasErrors)
      return usageError(fmt::format("`--errors` is for products, which `{}` is not", entry.name));
    if (isNamed || (command.kernels.empty() && (!command.sweep || entry.canSweep()) &&
                    (!command.errors || entry.hasErrors)))
      asked.entries.push_back(&entry);
  }
  return {};
}

Result<void> Reader::readTypes() {
  for (const std::string &dtype : command.dtypes) {
    std::vector<std::string> known;
    for (const Entry *entry : asked.entries)
      for (const auto *list : {&entry->dtypes, &entry->otherDtypes})
        for (const std::string &each : *list)
          if (std::find(known.begin(), known.end(), each) == known.end())
            known.push_back(each);
    if (!command.errors && std::find(known.begin(), known.end(), dtype) == known.end())
      return usageError(fmt::format("expected a type that a chosen kernel is measured with: {}, found `{}`",
                                    fmt::join(known, ", "), dtype));
  }
  return {};
}

/// A whole number from 1 that leaves room to compute with.
Result<int64_t> readSide(const std::string &text, const std::string &whole, const char *option) {
  constexpr int64_t most = int64_t(1) << 31;
  Result<HostValue> number = parseNumber(text);
  if (!number || number->kind != HostValue::Int || int64_t(number->bits) < 1 || int64_t(number->bits) > most)
    return usageError(fmt::format("expected {} for {}, found `{}`",
                                  option == std::string("--n") ? "a whole number from 1"
                                                               : "whole numbers from 1 with `x` between",
                                  option, whole));
  return int64_t(number->bits);
}

Result<void> Reader::readShapes() {
  for (const std::string &text : command.sizes) {
    int64_t size = TRY(readSide(text, text, "--n"));
    asked.sizes.push_back(size);
  }
  for (const std::string &text : command.shapes) {
    Shape shape;
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find('x', begin), text.size());
      int64_t side = TRY(readSide(text.substr(begin, end - begin), text, "--shape"));
      shape.push_back(side);
      begin = end + 1;
    }
    asked.shapes.push_back(std::move(shape));
  }
  return {};
}

Result<void> Reader::readPeers() {
  const std::vector<std::string> &known = knownPeers();
  if (command.beside == "all")
    asked.peers.peers = known;
  else if (!command.beside.empty())
    asked.peers.peers = splitAtCommas(command.beside);
  for (const std::string &name : asked.peers.peers)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return usageError(fmt::format("expected peers out of {}, found `{}`{}", fmt::join(known, ", "), name,
                                    didYouMean(name, known)));
  uint32_t rounds = TRY(parseCount(command.rounds, "--rounds"));
  if (rounds == 0)
    return usageError("expected at least 1 round");
  asked.peers.rounds = rounds;
  if (!command.budget.empty()) {
    asked.peers.budget = TRY(parseCount(command.budget, "--budget"));
  }
  asked.peers.python = command.python;
  return {};
}

Result<void> Reader::readSwept() {
  static const std::vector<std::string> known{"BLOCK_M", "BLOCK_N", "BLOCK_K", "num_warps", "num_stages"};
  if (!command.swept.empty() && !command.sweep)
    return usageError("`--set` is for `--sweep`");
  for (const std::string &text : command.swept) {
    const auto &[name, values] = TRY(splitAssignment(text, "--set"));
    if (std::find(known.begin(), known.end(), name) == known.end())
      return usageError(fmt::format("expected one of {} for --set, found `{}`{}", fmt::join(known, ", "),
                                    name, didYouMean(name, known)));
    for (const std::string &value : splitAtCommas(values)) {
      uint32_t number = TRY(parseCount(value, "--set"));
      if (number == 0)
        return usageError(fmt::format("expected values from 1 for --set, found `{}`", text));
      asked.swept[name].push_back(number);
    }
  }
  return {};
}

Result<void> Reader::readOptions() {
  for (auto read : {&Reader::readKernels, &Reader::readTypes, &Reader::readShapes, &Reader::readPeers,
                    &Reader::readSwept})
    TRY((this->*read)());
  uint32_t milliseconds = TRY(parseCount(command.milliseconds, "--time"));
  asked.measuring = {double(milliseconds), command.again, command.sweep};
  if (!command.check.empty()) {
    Result<HostValue> ratio = parseNumber(command.check);
    if (!ratio || !(ratio->asDouble() >= 0))
      return usageError(fmt::format("expected a ratio such as 0.9 for --check, found `{}`", command.check));
    asked.leastRatio = ratio->asDouble();
  }
  if (asked.leastRatio > 0 && command.beside.empty())
    return usageError("`--check=RATIO` needs `--beside`: there is no peer to compare with");
  if (int(command.errors) + int(command.sweep) + int(command.dryRun) + int(!command.beside.empty()) > 1 &&
      !(command.sweep && command.dryRun))
    return usageError("expected at most one of --beside, --errors, --sweep and --dry-run");
  return {};
}

} // namespace

Result<Request> readRequest(const BenchCommand &command) {
  Reader reader(command);
  TRY(reader.readOptions());
  return std::move(reader.asked);
}

} // namespace tegula::cli::bench
