// Judges the model that ranks configs on a measured sweep, and fits its coefficients.
//
//   fit-model TERMS            how near the first choice comes to the best config
//   fit-model TERMS --fit=SEED the coefficients that do best on the part that is fitted; a search at random, of which
//                              several seeds are worth a try
//   fit-model TERMS --worst    the cases that lose most as well
//
// TERMS is a file of `tools/bench/model/terms.py`: a case and config a line.
#include "compiler/cost/EstimateText.h"
#include "compiler/cost/TermsJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace tegula;

namespace {

/// A config of a case, measured.
struct Trial {
  int64_t config = 0;
  bool isOwn = false;  ///< of those that the kernel has in its own file
  double measured = 0; ///< microseconds
  cost::KernelTerms terms;
};
/// The configs among which one is chosen.
enum class Configs { Own, All };
bool isAmong(const Trial &trial, Configs configs) { return configs == Configs::All || trial.isOwn; }

struct Case {
  int64_t number = 0;
  std::string kernel;
  std::vector<Trial> trials;
  double best(Configs configs) const {
    double least = INFINITY;
    for (const Trial &trial : trials)
      if (isAmong(trial, configs))
        least = std::min(least, trial.measured);
    return least;
  }
};

/// One product in three is never fitted, nor is half of attention, nor layernorm.
bool isFitted(const Case &one) {
  return (one.kernel == "matmul" && one.number % 3 != 0) || (one.kernel == "attention" && one.number % 4 < 2) ||
         one.kernel == "softmax";
}

const Target &device() { return *lookupTarget("sm_90a"); }
constexpr uint32_t Multiprocessors = 132;

double cyclesOf(const Trial &trial, const cost::Coefficients &fitted) {
  return cost::estimate(trial.terms, device(), Multiprocessors, fitted).cycles;
}

/// Returns the share of the best that the model's first choice among `configs` reaches.
double shareOf(const Case &one, Configs configs, const cost::Coefficients &fitted,
               const Trial **choice = nullptr) {
  const Trial *first = nullptr;
  double least = INFINITY;
  for (const Trial &trial : one.trials)
    if (isAmong(trial, configs))
      if (const double cycles = cyclesOf(trial, fitted); cycles < least) {
        least = cycles;
        first = &trial;
      }
  if (choice)
    *choice = first;
  return first ? one.best(configs) / first->measured : 0.01;
}

struct Place {
  const char *name;
  double cost::Coefficients::*field;
};
#define FIELD(name)                                                                                          \
  { #name, &cost::Coefficients::name }
const Place places[] = {FIELD(latency),        FIELD(stepLatency),   FIELD(programLatency),
                        FIELD(reduction),      FIELD(specialCycles), FIELD(elementCycles),
                        FIELD(accessCycles),   FIELD(gatherCycles),  FIELD(warpsToFill),
                        FIELD(spillCycles),    FIELD(cacheLoss),     FIELD(programBytes),
                        FIELD(splitLatency),   FIELD(splitBytes),    FIELD(registersBeside),
                        FIELD(plainRegisters), FIELD(sharpness)};

/// Returns what fitting makes small: what the first choices lose, and how far the estimates of good configs
/// are apart from their times.
double lossOf(const std::vector<Case> &cases, const cost::Coefficients &fitted) {
  double loss = 0, count = 0;
  for (const Case &one : cases) {
    if (!isFitted(one))
      continue;
    const double best = one.best(Configs::All);
    double weights = 0, mean = 0, square = 0;
    // The first choice among the kernel's own configs, among all, and among each fourth of them.
    constexpr size_t sets = 6;
    std::array<double, sets> least, chosen, bestOf;
    least.fill(INFINITY), chosen.fill(best), bestOf.fill(INFINITY);
    for (const Trial &trial : one.trials) {
      const double cycles = cyclesOf(trial, fitted), ratio = std::log(cycles / trial.measured);
      const double weight = std::pow(best / trial.measured, 3);
      for (size_t set = 0; set < sets; ++set) {
        if ((set == 0 && !trial.isOwn) || (set >= 2 && size_t(trial.config) % 4 != set - 2))
          continue;
        bestOf[set] = std::min(bestOf[set], trial.measured);
        if (cycles < least[set])
          least[set] = cycles, chosen[set] = trial.measured;
      }
      weights += weight, mean += weight * ratio, square += weight * ratio * ratio;
    }
    mean /= weights;
    for (size_t set = 0; set < sets; ++set)
      if (std::isfinite(bestOf[set])) // a time far off is a mistake of the sweep more often than of the model
        loss += (set == 0 ? 4 : 1) * std::min(std::log(chosen[set] / bestOf[set]), std::log(2));
    loss += 0.5 * std::sqrt(std::max(0.0, square / weights - mean * mean));
    ++count;
  }
  // Coefficients that the sweep tells nothing of stay as they are.
  const cost::Coefficients &known = cost::coefficients();
  double distance = 0;
  for (const Place &place : places)
    distance += std::pow(std::log(fitted.*place.field / known.*place.field), 2);
  return loss / count + 0.002 * distance;
}

cost::Coefficients fit(const std::vector<Case> &cases, unsigned seed) {
  cost::Coefficients best = cost::coefficients();
  double least = lossOf(cases, best);
  std::mt19937 random(seed);
  constexpr int steps = 12000;
  for (int step = 0; step < steps; ++step) {
    // Some of them at once, by less and less: what is lost jumps, and has no slope to follow.
    const double width = 0.6 * std::pow(0.05, double(step) / steps);
    cost::Coefficients tried = best;
    for (const Place &place : places)
      if (random() % 4 == 0)
        tried.*place.field *= std::exp(std::normal_distribution<double>(0, width)(random));
    if (const double loss = lossOf(cases, tried); loss < least) {
      least = loss;
      best = tried;
    }
  }
  llvm::outs() << "loss " << llvm::format("%.4f", least) << "\n";
  for (const Place &place : places)
    llvm::outs() << "  double " << place.name << " = " << llvm::format("%.4g", best.*place.field) << ";\n";
  return best;
}

/// Prints the geometric mean, the worst tenth and the worst of some cases.
template <typename Counts>
void judge(const char *name, const std::vector<Case> &cases, Configs configs,
           const cost::Coefficients &fitted, Counts counts) {
  std::vector<double> shares;
  double product = 0;
  for (const Case &one : cases)
    if (counts(one)) {
      shares.push_back(shareOf(one, configs, fitted));
      product += std::log(shares.back());
    }
  if (shares.empty())
    return;
  std::sort(shares.begin(), shares.end());
  llvm::outs() << llvm::format("%-42s %3zu cases: %.3f of the best, worst tenth %.3f, worst %.3f\n", name,
                               shares.size(), std::exp(product / double(shares.size())),
                               shares[shares.size() / 10], shares[0]);
}

std::vector<Case> read(const char *path) {
  std::map<int64_t, Case> cases;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << "error: cannot read `" << path << "`\n";
    std::exit(1);
  }
  for (llvm::StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
    const llvm::json::Value *terms = object ? object->get("terms") : nullptr;
    std::optional<cost::KernelTerms> found = terms ? cost::termsFrom(*terms) : std::nullopt;
    if (!found) {
      llvm::consumeError(value.takeError());
      continue;
    }
    const int64_t number = object->getInteger("case").value_or(0);
    Case &one = cases[number];
    one.number = number;
    one.kernel = object->getString("kernel").value_or("").str();
    one.trials.push_back({object->getInteger("config").value_or(0), object->getBoolean("own").value_or(true),
                          object->getNumber("us").value_or(0), std::move(*found)});
  }
  std::vector<Case> list;
  for (auto &[number, one] : cases)
    list.push_back(std::move(one));
  return list;
}

void showWorst(const std::vector<Case> &cases, const cost::Coefficients &fitted) {
  std::vector<std::pair<double, const Case *>> order;
  for (const Case &one : cases)
    order.push_back({shareOf(one, Configs::Own, fitted), &one});
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < std::min<size_t>(order.size(), 12); ++i) {
    const Case &one = *order[i].second;
    const Trial *choice = nullptr;
    shareOf(one, Configs::Own, fitted, &choice);
    llvm::outs() << llvm::format("%s, case %lld: %.3f\n", one.kernel.c_str(), (long long)one.number,
                                 order[i].first);
    for (const Trial &trial : one.trials)
      if (trial.isOwn)
        llvm::outs() << (&trial == choice ? " * " : "   ")
                     << llvm::format("%2lld: %8.2f us, ", (long long)trial.config, trial.measured)
                     << cost::text(cost::estimate(trial.terms, device(), Multiprocessors, fitted)) << "\n";
  }
}

} // namespace

int main(int count, char **arguments) {
  if (count < 2) {
    llvm::errs() << "usage: fit-model TERMS [--fit[=SEED]] [--worst]\n";
    return 2;
  }
  const std::vector<Case> cases = read(arguments[1]);
  cost::Coefficients fitted = cost::coefficients();
  bool showsWorst = false;
  for (int i = 2; i < count; ++i) {
    if (llvm::StringRef argument = arguments[i]; argument.consume_front("--fit")) {
      unsigned seed = 1;
      if (argument.consume_front("=") && argument.getAsInteger(10, seed)) {
        llvm::errs() << "error: --fit=" << argument << ": expected the seed, a number\n";
        return 2;
      }
      fitted = fit(cases, seed);
    }
    showsWorst |= llvm::StringRef(arguments[i]) == "--worst";
  }
  for (Configs configs : {Configs::Own, Configs::All}) {
    const bool isOwn = configs == Configs::Own;
    judge(isOwn ? "products, own configs, fitted" : "products, all configs, fitted", cases, configs, fitted,
          [](const Case &one) { return one.kernel == "matmul" && isFitted(one); });
    judge(isOwn ? "products, own configs, not seen" : "products, all configs, not seen", cases, configs,
          fitted, [](const Case &one) { return one.kernel == "matmul" && !isFitted(one); });
  }
  for (const char *kernel : {"attention", "softmax", "layernorm"})
    judge(kernel,
          cases, Configs::All, fitted, [&](const Case &one) { return one.kernel == kernel; });
  if (showsWorst)
    showWorst(cases, fitted);
  return 0;
}
