#include "tools/tegula/tune/TuneReport.h"

#include "runtime/jit/tune/Tuner.h"
#include "tools/tegula/output/ConfigText.h"
#include "tools/tegula/output/Json.h"

#include <fmt/format.h>

namespace tegula::cli {

/// The first line of a message that may have several.
static std::string_view firstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

static std::string formatEarlier(const TuneResult &result) {
  const jit::TunedChoice &choice = *result.earlier;
  return fmt::format("{} on {}: chosen by an earlier run, `--again` measures anew\n"
                     "fastest: --config={}, {:.4f} ms  {}\n",
                     result.kernel, result.device, choice.config, choice.milliseconds,
                     configText(result.configs[choice.config]));
}

std::string formatTuning(const TuneResult &result) {
  if (result.earlier)
    return formatEarlier(result);
  const jit::Trial *best = jit::fastest(result.trials);
  std::string text = fmt::format("{} on {}: milliseconds of a launch with cold caches\n"
                                 "config    median       0.2       0.8  registers  spilled  shared\n",
                                 result.kernel, result.device);
  for (const jit::Trial &trial : result.trials) {
    const std::string config = configText(result.configs[trial.config]);
    const char mark = &trial == best ? '*' : ' ';
    if (trial.times)
      text += fmt::format("{}{:5} {:9.4f} {:9.4f} {:9.4f} {:10} {:8} {:7}  {}\n", mark, trial.config,
                          trial.times->median, trial.times->low, trial.times->high, trial.registers,
                          trial.spillBytes, trial.sharedBytes, config);
    else
      text += fmt::format("{}{:5} skipped  {}\n       {}\n", mark, trial.config, config,
                          firstLine(trial.skipped));
  }
  if (best)
    text += fmt::format("fastest: --config={}\n", best->config);
  if (!result.keptIn.empty())
    text += fmt::format("kept in {}: `tegula run --config=tuned` takes it\n", result.keptIn);
  return text;
}

std::string tuneJson(const TuneResult &result) {
  Json::Array configs;
  for (const jit::Trial &trial : result.trials) {
    Json::Object row{{"config", uint64_t(trial.config)},
                     {"values", configText(result.configs[trial.config])}};
    if (trial.times) {
      row.emplace_back("median_ms", trial.times->median);
      row.emplace_back("low_ms", trial.times->low);
      row.emplace_back("high_ms", trial.times->high);
      row.emplace_back("launches", uint64_t(trial.times->launches));
      row.emplace_back("registers", trial.registers);
      row.emplace_back("spill_bytes", trial.spillBytes);
      row.emplace_back("shared_bytes", trial.sharedBytes);
    } else {
      row.emplace_back("skipped", trial.skipped);
    }
    configs.emplace_back(std::move(row));
  }
  Json::Object whole{{"kernel", result.kernel}, {"device", result.device}, {"configs", std::move(configs)}};
  whole.emplace_back("from_cache", result.earlier.has_value());
  if (result.earlier) {
    whole.emplace_back("fastest", uint64_t(result.earlier->config));
    whole.emplace_back("median_ms", result.earlier->milliseconds);
  }
  if (const jit::Trial *best = jit::fastest(result.trials))
    whole.emplace_back("fastest", uint64_t(best->config));
  return Json(std::move(whole)).text();
}

} // namespace tegula::cli
