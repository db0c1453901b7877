#include "runtime/jit/tune/Tuner.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::jit {

using runtime::Result;

namespace {

/// Launches for a time, and what the launches after that took.
Result<Trial::Times> timesOf(const Candidate &candidate, Stopwatch &stopwatch, const TuneRequest &request) {
  double spent = 0;
  // One launch is always the first: it may pay for what is done once.
  for (size_t launch = 0; launch == 0 || (spent < request.warmupMilliseconds && launch < mostLaunches);
       ++launch) {
    double time = TRY(stopwatch.measure(candidate));
    spent += time;
  }
  std::vector<double> samples;
  for (spent = 0;
       samples.size() < leastLaunches || (spent < request.milliseconds && samples.size() < mostLaunches);) {
    double time = TRY(stopwatch.measure(candidate));
    spent += time;
    samples.push_back(time);
  }
  return summary(std::move(samples));
}

/// The times of `candidates` that are launched by turns, together for as long as one of them alone before.
Result<std::vector<Trial::Times>> timesInTurns(const std::vector<const Candidate *> &candidates,
                                               Stopwatch &stopwatch, const TuneRequest &request) {
  std::vector<std::vector<double>> samples(candidates.size());
  double spent = 0;
  for (size_t round = 0; round < leastLaunches || (spent < request.milliseconds && round < mostLaunches);
       ++round)
    for (size_t i = 0; i < candidates.size(); ++i) {
      double time = TRY(stopwatch.measure(*candidates[i]));
      spent += time;
      samples[i].push_back(time);
    }
  std::vector<Trial::Times> times;
  for (std::vector<double> &each : samples)
    times.push_back(summary(std::move(each)));
  return times;
}

} // namespace

Result<std::vector<Trial>> tune(const TuneRequest &request, const std::function<void(size_t)> &begin,
                                const std::function<void(const Trial &)> &done) {
  return measure(request, TRY(prepareCandidates(request)), begin, done);
}

Result<std::vector<Trial>> measure(const TuneRequest &request, std::vector<Candidate> candidates,
                                   const std::function<void(size_t)> &begin,
                                   const std::function<void(const Trial &)> &done) {
  std::unique_ptr<Stopwatch> stopwatch = TRY(Stopwatch::create(request.device));
  const auto restore = [&] { return request.restore ? request.restore() : Result<void>(); };
  std::vector<Trial> trials;
  for (Candidate &candidate : candidates) {
    if (candidate.kernel) {
      if (begin)
        begin(candidate.trial.config);
      TRY(restore());
      candidate.trial.times = TRY(timesOf(candidate, *stopwatch, request));
    }
    if (done)
      done(candidate.trial);
    trials.push_back(std::move(candidate.trial));
  }
  const std::vector<size_t> last = finalists(trials);
  if (last.empty())
    return trials;
  TRY(restore());
  std::vector<const Candidate *> turns;
  for (size_t place : last)
    turns.push_back(&candidates[place]);
  std::vector<Trial::Times> times = TRY(timesInTurns(turns, *stopwatch, request));
  for (size_t i = 0; i < last.size(); ++i) {
    trials[last[i]].times = times[i];
    if (done)
      done(trials[last[i]]);
  }
  return trials;
}

std::vector<size_t> finalists(const std::vector<Trial> &trials) {
  constexpr double nearEnough = 1.1;
  constexpr size_t most = 4;
  const Trial *best = fastest(trials);
  std::vector<size_t> found;
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].times && trials[i].times->median <= nearEnough * best->times->median)
      found.push_back(i);
  std::ranges::stable_sort(found, {}, [&](size_t i) { return trials[i].times->median; });
  found.resize(std::min(found.size(), most));
  return found.size() > 1 ? found : std::vector<size_t>();
}

const Trial *fastest(const std::vector<Trial> &trials) {
  const Trial *best = nullptr;
  for (const Trial &trial : trials)
    if (trial.times && (!best || trial.times->median < best->times->median))
      best = &trial;
  return best;
}

} // namespace tegula::jit
