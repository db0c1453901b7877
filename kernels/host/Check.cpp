#include "kernels/host/Check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

namespace tegula::kernels {
namespace {

bool isFloat(Dtype dtype) { return dtype >= Dtype::f16; }

/// Storage of an 8-bit float of `exponentBits`. With 4 there is no infinity, and only all ones is NaN; with 5
/// the format is that of fp16, cut short.
template <int exponentBits> struct Fp8 {
  uint8_t bits = 0;
  static constexpr int mantissaBits = 7 - exponentBits, bias = (1 << (exponentBits - 1)) - 1;

  Fp8() = default;
  /// The nearest number of the format. Values are small here: nothing is said of overflow.
  explicit Fp8(double value) {
    static const std::vector<double> all = [] {
      constexpr int codes = exponentBits == 4 ? 0x7f : 0x7c;
      std::vector<double> numbers;
      numbers.reserve(codes);
      for (int code = 0; code < codes; ++code)
        numbers.push_back(magnitude(code));
      return numbers;
    }();
    double size = std::abs(value);
    auto above = std::min(std::lower_bound(all.begin(), all.end(), size), all.end() - 1);
    if (above != all.begin() && size - above[-1] < *above - size)
      --above;
    bits = uint8_t(std::isnan(value) ? 0x7f : (above - all.begin()) | (std::signbit(value) ? 0x80 : 0));
  }
  explicit operator float() const {
    if ((bits & 0x7f) == 0x7f)
      return NAN;
    return float(bits & 0x80 ? -magnitude(bits & 0x7f) : magnitude(bits));
  }
  static double magnitude(int code) {
    int exponent = code >> mantissaBits, mantissa = code & ((1 << mantissaBits) - 1);
    return exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                         : std::ldexp(mantissa + (1 << mantissaBits), exponent - bias - mantissaBits);
  }
};

/// Calls `body` with a value of the C++ type that stores `dtype`.
template <typename Body> auto withStorage(Dtype dtype, Body body) {
  switch (dtype) {
  case Dtype::i8:
    return body(int8_t());
  case Dtype::i16:
    return body(int16_t());
  case Dtype::i32:
    return body(int32_t());
  case Dtype::i64:
    return body(int64_t());
  case Dtype::u16:
    return body(uint16_t());
  case Dtype::u32:
    return body(uint32_t());
  case Dtype::u64:
    return body(uint64_t());
  case Dtype::f16:
    return body(f16());
  case Dtype::bf16:
    return body(bf16());
  case Dtype::f32:
    return body(float());
  case Dtype::f64:
    return body(double());
  case Dtype::fp8e4nv:
    return body(Fp8<4>());
  case Dtype::fp8e5:
    return body(Fp8<5>());
  default:
    return body(uint8_t());
  }
}

template <typename T> double toDouble(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(value);
  else
    return double(float(value));
}

/// Distance from `value` to the next representable number of a binary format.
double unitInLastPlace(Dtype dtype, double value) {
  int mantissa = dtype == Dtype::f16 ? 10 : dtype == Dtype::bf16 ? 7 : dtype == Dtype::f32 ? 23 : 52;
  int smallest = dtype == Dtype::f16 ? -14 : dtype == Dtype::f64 ? -1022 : -126;
  int exponent = value == 0 || !std::isfinite(value) ? smallest : std::max(std::ilogb(value), smallest);
  return std::ldexp(1.0, exponent - mantissa);
}

} // namespace

std::string &sourceFolder() {
  static std::string folder;
  return folder;
}

std::string dtypeName(Dtype dtype) {
  const char *const names[] = {"i1",  "i8",   "i16",  "i32",  "i64",  "u8",      "u16",  "u32",
                               "u64", "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5"};
  return names[size_t(dtype)];
}

size_t dtypeBytes(Dtype dtype) {
  return withStorage(dtype, [](auto zero) { return sizeof zero; });
}

double rounded(Dtype dtype, double value) {
  if (dtype == Dtype::i1)
    return value != 0;
  return withStorage(dtype, [&](auto zero) { return toDouble(static_cast<decltype(zero)>(value)); });
}

std::vector<double> randomValues(Dtype dtype, int64_t count, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(size_t(count), 0.0);
  for (double &value : values) {
    if (isFloat(dtype))
      value = rounded(dtype, normal(engine));
    else if (dtype == Dtype::i1)
      value = double(engine() & 1);
    else
      value = double(engine() % 50); // sums stay within every integer type
  }
  return values;
}

DeviceValues::DeviceValues(const Device &device, Dtype dtype, int64_t count)
    : dtype(dtype), count(count), buffer(device, size_t(count) * dtypeBytes(dtype)) {}

DeviceValues::DeviceValues(const Device &device, Dtype dtype, const std::vector<double> &values)
    : DeviceValues(device, dtype, int64_t(values.size())) {
  std::vector<std::byte> bytes(buffer.bytes());
  withStorage(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < values.size(); ++i) {
      T value = static_cast<T>(values[i]);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return 0;
  });
  buffer.upload(bytes.data(), bytes.size());
}

DeviceValues DeviceValues::poisoned(const Device &device, Dtype dtype, int64_t count) {
  DeviceValues values(device, dtype, count);
  // All ones is NaN in every float type, -1 or the largest number in the integer types.
  std::vector<std::byte> bytes(values.buffer.bytes(), std::byte(0xff));
  values.buffer.upload(bytes.data(), bytes.size());
  return values;
}

std::vector<double> DeviceValues::download() const {
  std::vector<std::byte> bytes(buffer.bytes());
  buffer.download(bytes.data(), bytes.size());
  std::vector<double> values(size_t(count), 0.0);
  withStorage(dtype, [&](auto value) {
    for (size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
      values[i] = toDouble(value);
    }
    return 0;
  });
  return values;
}

static Outcome compareWithin(const std::vector<double> &expected, const std::vector<double> &found,
                             const std::vector<double> &allowed) {
  Outcome outcome;
  for (size_t i = 0; i < expected.size(); ++i) {
    // Infinities and NaN have no distance: they are the same or wrong.
    if (expected[i] == found[i] || (std::isnan(expected[i]) && std::isnan(found[i])))
      continue;
    double error = std::abs(found[i] - expected[i]);
    if (error <= allowed[i]) {
      outcome.worstError = std::max(outcome.worstError, error);
      continue;
    }
    if (outcome.wrong++ == 0) {
      char text[120];
      std::snprintf(text, sizeof text, "at %zu: expected %.9g, found %.9g", i, expected[i], found[i]);
      outcome.firstWrong = text;
    }
    outcome.worstError = std::isnan(error) ? error : std::max(outcome.worstError, error);
  }
  return outcome;
}

Outcome compare(Dtype dtype, const std::vector<double> &expected, const std::vector<double> &found,
                double ulps) {
  std::vector<double> allowed(expected.size(), 0.0);
  for (size_t i = 0; isFloat(dtype) && i < expected.size(); ++i)
    allowed[i] = ulps * unitInLastPlace(dtype, expected[i]);
  return compareWithin(expected, found, allowed);
}

Outcome compare(Dtype dtype, const std::vector<double> &expected, const std::vector<double> &found,
                const std::vector<double> &allowed) {
  std::vector<double> withRounding = allowed;
  for (size_t i = 0; i < expected.size(); ++i)
    withRounding[i] += unitInLastPlace(dtype, expected[i]) / 2;
  return compareWithin(expected, found, withRounding);
}

void Outcome::add(const Outcome &other, const std::string &part) {
  if (wrong == 0 && other.wrong != 0)
    firstWrong = part + ", " + other.firstWrong;
  wrong += other.wrong;
  squares += other.squares;
  plainSquares += other.plainSquares;
  worstError = std::isnan(other.worstError) ? other.worstError : std::max(worstError, other.worstError);
  if (!other.note.empty())
    note += (note.empty() ? "" : ", ") + other.note;
}

int64_t nextPowerOf2(int64_t n) {
  int64_t power = 1;
  while (power < n)
    power *= 2;
  return power;
}

} // namespace tegula::kernels
