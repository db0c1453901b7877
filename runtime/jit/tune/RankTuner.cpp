#include "runtime/jit/tune/RankTuner.h"

#include "runtime/jit/files/SpecText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

bool communicates(std::string_view ptx) {
  while (!ptx.empty()) {
    std::string_view line = ptx.substr(0, ptx.find('\n'));
    ptx.remove_prefix(std::min(line.size() + 1, ptx.size()));
    line = line.substr(0, line.find("//"));
    const size_t scope = line.find(".sys");
    if (scope == line.npos)
      continue;
    // The name of the instruction: what `.sys` is a part of.
    const size_t begin = line.find_last_of(" \t", scope) + 1;
    const std::string_view name = line.substr(begin, line.find('.', begin) - begin);
    for (std::string_view one : {"atom", "red", "ld", "st", "fence", "membar", "multimem"})
      if (name == one)
        return true;
  }
  return false;
}

namespace {

using Offers = std::vector<std::string>; ///< of all ranks, or the parts of one

/// Forms of what ranks offer: "offer" and its parts, or "failed" and why.
constexpr const char *offered = "offer", *failed = "failed";

Offers packTimes(const Trial::Times &times) {
  return {fmt::format("{}", times.median), fmt::format("{}", times.low), fmt::format("{}", times.high),
          fmt::format("{}", times.launches)};
}

double numberOf(const std::string &text) { return std::strtod(text.c_str(), nullptr); }

class RankTuner {
public:
  RankTuner(const TuneRequest &request, const Agreement &agreement)
      : request(request), agreement(agreement) {}

  Result<std::vector<Trial>> run() {
    TRY(agreeOnConfigs());
    std::vector<Offers> kinds = TRY(step("compiled", [&]() -> Result<Offers> {
      candidates = TRY(prepareCandidates(request));
      Offers said{speaksToOthers() ? "lockstep" : "divided"};
      for (const Candidate &candidate : candidates)
        said.push_back(candidate.trial.skipped);
      return said;
    }));
    TRY(leaveOut(kinds));
    const bool isInLockstep = std::any_of(kinds.begin(), kinds.end(),
                                          [](const Offers &kind) { return kind.front() == "lockstep"; });
    TRY(isInLockstep ? measureInLockstep() : measureInParts());
    std::vector<Trial> trials;
    for (Candidate &candidate : candidates)
      trials.push_back(std::move(candidate.trial));
    return trials;
  }

private:
  Error error(std::string text) const { return {ErrorKind::InvalidArgument, std::move(text)}; }

  /// Returns what `work` gives on each rank. Where it fails, its error on that rank, and on the others one
  /// that names it.
  template <typename Work> Result<std::vector<Offers>> step(const std::string &subject, Work work) {
    Result<Offers> own = work();
    Offers offer{own ? offered : failed};
    if (own)
      offer.insert(offer.end(), own->begin(), own->end());
    else
      offer.push_back(own.error().text);
    const std::string &kernel = request.kernel->name;
    const std::string answer = TRY(agreement.agree(fmt::format("{}: {}", kernel, subject), pack(offer)));
    if (!own)
      return own.error();
    const Offers all = TRY(unpack(answer));
    if (all.size() != agreement.world)
      return error(fmt::format("expected an answer of {} offers about kernel `{}`, found {}", agreement.world,
                               kernel, all.size()));
    std::vector<Offers> opened;
    for (size_t rank = 0; rank < all.size(); ++rank) {
      Offers parts = TRY(unpack(all[rank]));
      const bool isOne = !parts.empty() && (parts.front() == offered || parts.front() == failed);
      if (!isOne || (parts.front() == failed && parts.size() < 2))
        return error(fmt::format("rank {} offered what is no offer for kernel `{}`", rank, kernel));
      if (parts.front() == failed)
        return error(fmt::format("rank {} failed while kernel `{}` was tuned: {}", rank, kernel, parts[1]));
      parts.erase(parts.begin());
      opened.push_back(std::move(parts));
    }
    return opened;
  }

  /// All ranks must have the same configs in the same order.
  Result<void> agreeOnConfigs() {
    const std::vector<Offers> all = TRY(step("configs", [&]() -> Result<Offers> {
      Offers own;
      for (size_t config : request.tried) {
        const JitKernel::Options &options = request.configs[config].options;
        own.push_back(fmt::format("{} blocks\n{}", options.launch.clusterBlocks,
                                  specText(options.spec(request.kernel->name, nullptr))));
      }
      return own;
    }));
    for (size_t rank = 1; rank < all.size(); ++rank) {
      if (all[rank].size() != all[0].size())
        return error(
            fmt::format("ranks do not agree on the configs of kernel `{}`: rank 0 has {}, rank {} has {}",
                        request.kernel->name, all[0].size(), rank, all[rank].size()));
      const auto [here, there] = std::mismatch(all[0].begin(), all[0].end(), all[rank].begin());
      if (here != all[0].end())
        return error(
            fmt::format("ranks do not agree on the configs of kernel `{}`: config {} of rank {} is not "
                        "that of rank 0",
                        request.kernel->name, request.tried[size_t(here - all[0].begin())], rank));
    }
    return {};
  }

  bool speaksToOthers() const {
    for (const Candidate &candidate : candidates)
      if (candidate.kernel) {
        Result<const Variant *> variant = candidate.kernel->prepare(request.device, candidate.arguments);
        return variant && (*variant)->kernel && communicates((*variant)->kernel->image().ptx);
      }
    return false;
  }

  /// Skips what a rank skips. The reasons follow the kind.
  Result<void> leaveOut(const std::vector<Offers> &reasons) {
    for (size_t rank = 0; rank < reasons.size(); ++rank)
      if (reasons[rank].size() != candidates.size() + 1)
        return error(
            fmt::format("rank {} offered what is no offer for kernel `{}`", rank, request.kernel->name));
    for (size_t i = 0; i < candidates.size(); ++i) {
      const auto refused = std::find_if(reasons.begin(), reasons.end(),
                                        [&](const Offers &said) { return !said[i + 1].empty(); });
      if (refused == reasons.end())
        continue;
      candidates[i].trial.skipped =
          fmt::format("on rank {}: {}", refused - reasons.begin(), (*refused)[i + 1]);
      candidates[i].kernel.reset();
    }
    return {};
  }

  Result<void> restore() const { return request.restore ? request.restore() : Result<void>(); }

  /// Milliseconds, of which the slowest rank's counts.
  template <typename Work> Result<double> slowest(const std::string &subject, Work work) {
    const std::vector<Offers> all = TRY(step(subject, [&]() -> Result<Offers> {
      const double own = TRY(work());
      return Offers{fmt::format("{}", own)};
    }));
    double most = 0;
    for (const Offers &one : all)
      most = std::max(most, one.empty() ? 0 : numberOf(one.front()));
    return most;
  }

  /// Times of `launches` launches of each candidate by turns, the slowest rank's of each.
  Result<std::vector<Trial::Times>> timesOf(const std::string &subject, const std::vector<size_t> &places,
                                            size_t warmups, size_t launches) {
    const std::vector<Offers> all = TRY(step(subject, [&]() -> Result<Offers> {
      std::vector<std::vector<double>> samples(places.size());
      for (size_t round = 0; round < warmups + launches; ++round)
        for (size_t i = 0; i < places.size(); ++i) {
          const double time = TRY(stopwatch->measure(candidates[places[i]]));
          if (round >= warmups)
            samples[i].push_back(time);
        }
      Offers own;
      for (std::vector<double> &each : samples)
        for (std::string &number : packTimes(summary(std::move(each))))
          own.push_back(std::move(number));
      return own;
    }));
    std::vector<Trial::Times> times(places.size());
    for (const Offers &one : all)
      for (size_t i = 0; i < places.size() && 4 * i + 3 < one.size(); ++i)
        times[i] = {std::max(times[i].median, numberOf(one[4 * i])),
                    std::max(times[i].low, numberOf(one[4 * i + 1])),
                    std::max(times[i].high, numberOf(one[4 * i + 2])), launches};
    return times;
  }

  static size_t launchesIn(double milliseconds, double slowest) {
    return std::clamp(size_t(milliseconds / std::max(slowest, 1e-6)), leastLaunches, mostLaunches);
  }

  /// A kernel that waits for its peers would hang where one rank launches it more often than another.
  Result<void> measureInLockstep() {
    stopwatch = TRY(Stopwatch::create(request.device));
    for (size_t i = 0; i < candidates.size(); ++i) {
      Candidate &candidate = candidates[i];
      if (!candidate.kernel)
        continue;
      const double each =
          TRY(slowest(fmt::format("estimate of config {}", candidate.trial.config), [&]() -> Result<double> {
            TRY(restore());
            TRY(stopwatch->measure(candidate)); // the first pays for what is done once
            return stopwatch->measure(candidate);
          }));
      const size_t warmups =
          size_t(std::min(request.warmupMilliseconds / std::max(each, 1e-6), double(mostLaunches)));
      candidate.trial.times = TRY(timesOf(fmt::format("time of config {}", candidate.trial.config), {i},
                                          warmups, launchesIn(request.milliseconds, each)))
                                  .front();
    }
    return measureFinalists();
  }

  /// As those of one rank: the fastest take turns.
  Result<void> measureFinalists() {
    std::vector<Trial> trials;
    for (const Candidate &candidate : candidates)
      trials.push_back(candidate.trial);
    const std::vector<size_t> last = finalists(trials);
    if (last.empty())
      return {};
    double together = 0;
    for (size_t place : last)
      together += trials[place].times->median;
    const std::vector<Trial::Times> times =
        TRY(timesOf("times of the fastest", last, 0, launchesIn(request.milliseconds, together)));
    for (size_t i = 0; i < last.size(); ++i)
      candidates[last[i]].trial.times = times[i];
    return {};
  }

  /// Each rank measures every `world`-th config by itself.
  Result<void> measureInParts() {
    const std::vector<Offers> all = TRY(step("times", [&]() -> Result<Offers> {
      std::vector<Candidate> part;
      for (size_t i = agreement.rank; i < candidates.size(); i += agreement.world)
        if (candidates[i].kernel)
          part.push_back(candidates[i]);
      Offers own;
      for (const Trial &trial : TRY(measure(request, std::move(part))))
        if (trial.times) {
          own.push_back(fmt::format("{}", trial.config));
          for (std::string &number : packTimes(*trial.times))
            own.push_back(std::move(number));
        }
      return own;
    }));
    for (const Offers &one : all)
      for (size_t i = 0; i + 4 < one.size(); i += 5)
        for (Candidate &candidate : candidates)
          if (fmt::format("{}", candidate.trial.config) == one[i])
            candidate.trial.times = Trial::Times{numberOf(one[i + 1]), numberOf(one[i + 2]),
                                                 numberOf(one[i + 3]), size_t(numberOf(one[i + 4]))};
    return {};
  }

  const TuneRequest &request;
  const Agreement &agreement;
  std::vector<Candidate> candidates;
  std::unique_ptr<Stopwatch> stopwatch;
};

} // namespace

Result<std::vector<Trial>> tuneByRanks(const TuneRequest &request, const Agreement &agreement) {
  return RankTuner(request, agreement).run();
}

} // namespace tegula::jit
