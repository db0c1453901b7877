#include "compiler/cost/TermsJson.h"

namespace tegula::cost {

// Each struct is told by one list of its fields, which writing and reading share.

template <typename Visit> static void fields(Visit visit, auto &product) requires requires {
  product.elementBits;
  product.byUnits;
}
{
  visit("m", product.m), visit("n", product.n), visit("k", product.k), visit("batches", product.batches);
  visit("bits", product.elementBits), visit("units", product.byUnits), visit("f8", product.isOfFloats8);
}

template <typename Visit> static void fields(Visit visit, auto &access) requires requires { access.feedsDot; }
{
  visit("store", access.isStore), visit("dot", access.feedsDot), visit("bytes", access.bytes);
  visit("element", access.elementBytes), visit("vector", access.vectorBytes), visit("copies", access.copies);
  visit("wave", access.copiesOfWave);
}

template <typename Visit> static void fields(Visit visit, auto &section) requires requires {
  section.products;
}
{
  visit("times", section.times), visit("most", section.mostTimes), visit("stages", section.stages);
  visit("depth", section.depth), visit("products", section.products), visit("accesses", section.accesses);
  visit("elements", section.elements), visit("specials", section.specials);
  visit("reductions", section.reductions), visit("reduced", section.reducedElements);
}

template <typename Visit> static void fields(Visit visit, auto &terms) requires requires { terms.sections; }
{
  visit("programs", terms.programs), visit("warps", terms.warps), visit("sections", terms.sections);
  visit("sums", terms.sumBytes), visit("held", terms.heldBytes);
}

namespace {

struct Writer {
  template <typename T> static llvm::json::Value write(const std::vector<T> &list) {
    llvm::json::Array array;
    for (const T &each : list)
      array.push_back(write(each));
    return array;
  }
  static llvm::json::Value write(bool value) { return value; }
  static llvm::json::Value write(double value) { return value; }
  static llvm::json::Value write(std::integral auto value) { return int64_t(value); }
  template <typename T>
  requires std::is_class_v<T>
  static llvm::json::Value write(const T &value) {
    llvm::json::Object object;
    fields([&](const char *name, const auto &field) { object[name] = write(field); }, value);
    return object;
  }
};

struct Reader {
  template <typename T> static bool read(const llvm::json::Value &from, std::vector<T> &list) {
    const llvm::json::Array *array = from.getAsArray();
    for (const llvm::json::Value &each : array ? *array : llvm::json::Array())
      if (!read(each, list.emplace_back()))
        return false;
    return array != nullptr;
  }
  static bool read(const llvm::json::Value &from, bool &value) {
    value = from.getAsBoolean().value_or(false);
    return from.getAsBoolean().has_value();
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  static bool read(const llvm::json::Value &from, T &value) {
    value = T(from.getAsNumber().value_or(0));
    return from.getAsNumber().has_value();
  }
  template <typename T>
  requires std::is_class_v<T>
  static bool read(const llvm::json::Value &from, T &value) {
    const llvm::json::Object *object = from.getAsObject();
    bool isWhole = object != nullptr;
    fields(
        [&](const char *name, auto &field) {
          const llvm::json::Value *found = object ? object->get(name) : nullptr;
          isWhole = isWhole && found && read(*found, field);
        },
        value);
    return isWhole;
  }
};

} // namespace

llvm::json::Value toJson(const KernelTerms &terms) { return Writer::write(terms); }

llvm::json::Value toJson(const Estimate &estimate) {
  llvm::json::Object object{
      {"resident", int64_t(estimate.resident)},   {"waves", estimate.waves},
      {"stages", int64_t(estimate.stages)},       {"shared", int64_t(estimate.sharedBytes)},
      {"registers", int64_t(estimate.registers)}, {"split", int64_t(estimate.split)}};
  if (estimate.fits()) // JSON has no infinity
    object["cycles"] = estimate.cycles;
  return object;
}

std::optional<KernelTerms> termsFrom(const llvm::json::Value &value) {
  KernelTerms terms;
  if (!Reader::read(value, terms))
    return std::nullopt;
  return terms;
}

} // namespace tegula::cost
