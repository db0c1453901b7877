#include "tools/tegula/bench/Peers.h"

#include "runtime/device/ToolkitProgram.h"
#include "tools/tegula/bench/Helper.h"
#include "tools/tegula/bench/Installed.h"
#include "tools/tegula/output/Json.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/ProgressLine.h"

#include <fmt/format.h>

#include <charconv>

namespace tegula::cli::bench {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

const std::vector<std::string> &knownPeers() {
  static const std::vector<std::string> names{"triton", "cublas", "cudnn", "torch", "copy"};
  return names;
}

namespace {

/// The helper's main file.
std::string helperPath() { return shareFolder("bench", TEGULA_BENCH_HELPER) + "/peers/peers.py"; }

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Json listOf(const std::vector<std::string> &texts) {
  Json::Array list;
  for (const std::string &text : texts)
    list.emplace_back(text);
  return list;
}

Json numbersOf(const Shape &shape) {
  Json::Array list;
  for (const int64_t side : shape)
    list.emplace_back(side);
  return list;
}

/// {"name": .., "dtype": .., "shape": [..], "fill": ..}, or {"name": .., "int" or "float": ..}, or a name
/// alone for None.
Json planOf(const Argument &argument) {
  Json::Object made{{"name", argument.name}};
  if (const auto *tensor = std::get_if<Tensor>(&argument.value)) {
    made.emplace_back("dtype", scalarKindName(tensor->type));
    made.emplace_back("shape", numbersOf(tensor->shape));
    made.emplace_back("fill", tensor->fill == Tensor::Random   ? "random"
                              : tensor->fill == Tensor::Output ? "nan"
                                                               : "zeros");
    made.emplace_back("below", tensor->below);
    return made;
  }
  const auto &value = std::get<HostValue>(argument.value);
  if (value.isInteger())
    made.emplace_back("int", int64_t(value.bits));
  else if (value.kind == HostValue::Float)
    made.emplace_back("float", value.asDouble());
  return made;
}

Json planOf(const jit::TuneConfig &config) {
  Json::Object constants;
  for (const auto &[name, value] : config.options.constexprs)
    if (const bool *truth = std::get_if<bool>(&value.value))
      constants.emplace_back(name, *truth);
    else if (const auto *number = std::get_if<int64_t>(&value.value))
      constants.emplace_back(name, *number);
  return Json::Object{{"constants", std::move(constants)},
                      {"warps", config.options.warps()},
                      {"stages", config.options.stages()},
                      {"grid", Json::Array{config.grid.x, config.grid.y}},
                      {"text", configText(config)}};
}

Json planOf(const Case &subject) {
  Json::Array arguments, configs;
  for (const Argument &argument : subject.arguments)
    arguments.push_back(planOf(argument));
  for (const jit::TuneConfig &config : subject.configs)
    configs.push_back(planOf(config));
  return Json::Object{{"name", subject.name},
                      {"file", subject.file},
                      {"entry", subject.entry},
                      {"dtype", subject.dtype},
                      {"shape", numbersOf(subject.shape)},
                      {"arguments", std::move(arguments)},
                      {"output", subject.output},
                      {"expected", subject.expected},
                      {"torch", subject.torch},
                      {"library", subject.library},
                      {"bytes", subject.unit == Unit::GigabytesPerSecond ? subject.work : 0},
                      {"tolerance", Json::Array{subject.relative, subject.absolute}},
                      {"configs", std::move(configs)}};
}

Json::Object planOf(const PeerOptions &options) {
  return {{"package", packageFolder()},
          {"kernels", options.kernels},
          {"device", int64_t(options.ordinal)},
          {"rounds", options.rounds},
          {"budget", options.budget ? Json(*options.budget) : Json()},
          {"peers", listOf(options.peers)}};
}

//===----------------------------------------------------------------------===//
// The helper's lines
//===----------------------------------------------------------------------===//

std::vector<std::string> wordsOf(const std::string &line) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

double numberOf(const std::string &word) {
  double number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// What every helper says; `Lines` of a mode hear the rest.
class Listener {
public:
  virtual ~Listener() = default;
  std::string device;
  std::vector<std::string> versions;
  bool hasPyTorch = true;

  void hear(const std::string &line) {
    const std::vector<std::string> words = wordsOf(line);
    if (words[0] == "device" && words.size() == 2)
      device = words[1];
    else if (words[0] == "version" && words.size() == 2)
      versions.push_back(words[1]);
    else if (words[0] == "missing" && words.size() == 3) {
      hasPyTorch = hasPyTorch && words[1] != "PyTorch";
      say(fmt::format("warning: no {} beside: {}\n", words[1], words[2]));
    } else
      hearMore(words);
  }

protected:
  virtual void hearMore(const std::vector<std::string> &words) = 0;
};

/// Writes the plan, runs the helper.
Result<void> run(const PeerOptions &options, Json::Object plan, Listener &listener) {
  const runtime::TemporaryFolder folder;
  TRY(folder.made());
  TRY(folder.write("plan.json", Json(std::move(plan)).text()));
  Result<void> ran = runHelper({options.python, helperPath(), folder.pathOf("plan.json")},
                               [&](const std::string &line) { listener.hear(line); });
  if (!ran && ran.error().kind == ErrorKind::Unavailable)
    return Error{ErrorKind::Unavailable,
                 ran.error().text + "; peers are measured in Python, `--python=PROGRAM` names another one"};
  return ran;
}

class RateLines final : public Listener {
public:
  explicit RateLines(const std::vector<Case> &cases) : cases(cases) {}
  Results results;

private:
  /// Lines about case N have N behind the first word.
  void hearMore(const std::vector<std::string> &words) override {
    const size_t place = words.size() > 1 ? size_t(numberOf(words[1])) : cases.size();
    if (place >= cases.size())
      return;
    const Case &subject = cases[place];
    if (words[0] == "begin")
      progress.show(fmt::format("case {} of {}: {}", place + 1, cases.size(), subject.label()));
    else if (words[0] == "failed")
      results.failed.push_back(subject.label());
    else if (words[0] == "left")
      results.left.push_back(subject.label());
    else if (words[0] == "row" && words.size() == 5) {
      Row row;
      row.subject = subject;
      row.registers = uint32_t(numberOf(words[2]));
      row.spillBytes = uint32_t(numberOf(words[3]));
      row.sharedBytes = uint32_t(numberOf(words[4]));
      results.rows.push_back(std::move(row));
      ours.clear();
    } else if (words[0] == "side" && words.size() > 4 && !results.rows.empty())
      addSide(results.rows.back(), words);
    else if (words[0] == "done" && !results.rows.empty())
      tell(results.rows.back());
  }

  /// "side", case, name, config, and the milliseconds of each round.
  void addSide(Row &row, const std::vector<std::string> &words) {
    std::vector<double> times, ratios;
    for (size_t i = 4; i < words.size(); ++i)
      times.push_back(numberOf(words[i]));
    Side side{words[2], quantile(times, 0.5), quantile(times, 0.2), quantile(times, 0.8), std::nullopt,
              words[3]};
    if (row.sides.empty()) {
      ours = times;
    } else {
      for (size_t i = 0; i < std::min(times.size(), ours.size()); ++i)
        ratios.push_back(times[i] / ours[i]);
      side.ratio = quantile(ratios, 0.5);
    }
    row.sides.push_back(std::move(side));
  }

  /// A line for each row as it comes, so that a run that is cut off has told something.
  void tell(const Row &row) {
    progress.clear();
    std::string text = row.subject.label() + ":";
    for (const Side &side : row.sides)
      text += fmt::format(
          " {} {:.1f} {}{}{};", side.name, row.subject.rate(side.median), unitName(row.subject.unit),
          side.ratio ? fmt::format(", to it {:.3f}", *side.ratio)
                     : fmt::format(", {} registers, {} bytes spilled", row.registers, row.spillBytes),
          side.config.empty() ? "" : fmt::format(" ({})", side.config));
    text.back() = '\n';
    say(text);
  }

  const std::vector<Case> &cases;
  std::vector<double> ours; ///< the rounds of our side of the row at work
  StepLine progress;
};

class ErrorLines final : public Listener {
public:
  ErrorResults results;

private:
  void hearMore(const std::vector<std::string> &words) override {
    if (words[0] == "margins" && words.size() == 2)
      results.margins = words[1];
    else if (words[0] == "failed" && words.size() == 2)
      results.failed.push_back(words[1]);
    else if (words[0] == "begin" && words.size() == 2)
      progress.show(words[1]);
    else if (words[0] == "error" && words.size() == 11)
      results.rows.push_back({words[1], words[2], size_t(numberOf(words[3])), numberOf(words[4]),
                              numberOf(words[5]), numberOf(words[6]), numberOf(words[7]), words[8], words[9],
                              words[10] == "good"});
  }

  StepLine progress;
};

} // namespace

Result<std::optional<Results>> measureBeside(const std::vector<Case> &cases, const PeerOptions &options) {
  Json::Object plan = planOf(options);
  Json::Array list;
  for (const Case &subject : cases)
    list.push_back(planOf(subject));
  plan.emplace_back("cases", std::move(list));
  RateLines lines(cases);
  TRY(run(options, std::move(plan), lines));
  if (!lines.hasPyTorch)
    return std::optional<Results>();
  lines.results.device = lines.device;
  lines.results.versions = lines.versions;
  return std::optional(std::move(lines.results));
}

Result<ErrorResults> measureErrors(const std::vector<std::string> &kernels,
                                   const std::vector<std::string> &dtypes, const PeerOptions &options) {
  Json::Object plan = planOf(options);
  plan.emplace_back("errors", Json::Object{{"kernels", listOf(kernels)}, {"dtypes", listOf(dtypes)}});
  ErrorLines lines;
  TRY(run(options, std::move(plan), lines));
  if (!lines.hasPyTorch)
    return Error{ErrorKind::Unavailable, "errors are compared with PyTorch's, which was not found"};
  lines.results.device = lines.device;
  lines.results.versions = lines.versions;
  return std::move(lines.results);
}

} // namespace tegula::cli::bench
