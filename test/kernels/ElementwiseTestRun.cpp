#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

using namespace tegula;
using namespace tegula::e2e;

const Device &e2e::device() {
  static const Device opened = Device::open(std::getenv("TEGULA_DEVICE") ? "" : "emulator");
  return opened;
}

Memory::Memory(Dtype type, const std::vector<Bits> &values, size_t skip)
    : type(type), count(values.size()), skip(skip),
      buffer(e2e::device(), std::max<size_t>(1, (values.size() + skip) * bytesOf(type))) {
  std::vector<char> raw(buffer.bytes());
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&raw[(i + skip) * bytesOf(type)], &values[i], bytesOf(type));
  buffer.upload(raw.data(), raw.size());
}

std::vector<Bits> Memory::read() const {
  std::vector<char> raw(buffer.bytes());
  buffer.download(raw.data(), raw.size());
  std::vector<Bits> values(count);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&values[i], &raw[(i + skip) * bytesOf(type)], bytesOf(type));
  return values;
}

namespace {

std::string sourceOf(const std::vector<Column> &columns, const std::vector<Expression> &expressions) {
  std::string parameters, body;
  for (const Column &column : columns) {
    parameters += fmt::format("p_{}, ", column.name);
    body += fmt::format("    {0} = tl.load(p_{0} + offsets, mask=mask, other=1)\n", column.name);
  }
  for (size_t i = 0; i < expressions.size(); ++i) {
    parameters += fmt::format("out_{}, ", i);
    body += fmt::format("    r_{0} = {1}\n    tl.static_assert(r_{0}.dtype == {2})\n"
                        "    tl.store(out_{0} + offsets, r_{0}, mask=mask)\n",
                        i, expressions[i].text, languageName(expressions[i].type));
  }
  return "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n\n"
         "@triton.jit\ndef kernel(" +
         parameters +
         "n, BLOCK: tl.constexpr):\n"
         "    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    mask = offsets < n\n" +
         body;
}

std::string show(Dtype type, Bits bits) { return fmt::format("{:.21Lg} (0x{:x})", toReal(type, bits), bits); }

bool equal(Dtype type, Bits found, const Expected &expected) {
  return found == expected.bits || (isNan(type, found) && isNan(type, expected.bits)) ||
         (expected.eitherZero && toReal(type, found) == 0 && toReal(type, expected.bits) == 0);
}

void compare(const Expression &expression, const std::vector<Bits> &found,
             const std::vector<Column> &columns) {
  int wrong = 0;
  for (size_t row = 0; row < found.size(); ++row) {
    Expected expected = expression.oracle(row);
    double apart = expected.ulps > 0 ? ulpsApart(expression.type, found[row], expected.real) : 0;
    bool same = expected.ulps > 0 ? apart <= expected.ulps : equal(expression.type, found[row], expected);
    if (same || ++wrong > 3)
      continue;
    std::string inputs;
    for (const Column &column : columns)
      inputs += fmt::format("\n  {} {} = {}", languageName(column.type), column.name,
                            show(column.type, column.bits[row]));
    Bits nearest = expected.ulps > 0 ? fromReal(expression.type, expected.real) : expected.bits;
    ADD_FAILURE() << expression.text << ": row " << row << ": expected " << show(expression.type, nearest)
                  << ", found " << show(expression.type, found[row])
                  << (expected.ulps > 0 ? fmt::format(", {} of {} ulp apart", apart, expected.ulps) : "")
                  << inputs;
  }
  EXPECT_EQ(wrong, 0) << expression.text << ": rows that differ, of " << found.size();
}

} // namespace

void e2e::check(const std::vector<Column> &columns, const std::vector<Expression> &expressions,
                Launch launch) {
  std::string source = sourceOf(columns, expressions);
  size_t rows = columns.front().bits.size();
  std::vector<Memory> inputs, outputs;
  std::vector<Argument> arguments;
  for (const Column &column : columns)
    arguments.push_back(inputs.emplace_back(column.type, column.bits).pointer());
  for (const Expression &expression : expressions)
    arguments.push_back(outputs.emplace_back(expression.type, std::vector<Bits>(rows)).pointer());
  arguments.push_back(int64_t(rows));
  try {
    Program::parse("elementwise.py", source)
        .kernel("kernel")
        .constexpr_("BLOCK", launch.block)
        .numWarps(launch.warps)
        .launchWith(device(), cdiv(int64_t(rows), launch.block), arguments.data(), arguments.size());
    for (size_t i = 0; i < expressions.size(); ++i)
      compare(expressions[i], outputs[i].read(), columns);
  } catch (const Error &error) {
    ADD_FAILURE() << error.what() << "\n" << source;
  }
}
