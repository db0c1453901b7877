#include "tools/tegula/arguments/Npy.h"
#include "tools/tegula/arguments/ArrayText.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace tegula;
using namespace tegula::cli;

namespace {

/// A file of version `major` with `header` and `data`.
std::string file(const std::string &header, const std::string &data, char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  bytes += char(header.size() & 0xff);
  bytes += char(header.size() >> 8);
  if (major > 1)
    bytes.append(2, '\0');
  return bytes + header + data;
}
std::string errorOf(const std::string &bytes, std::optional<ScalarKind> as = std::nullopt) {
  auto array = parseNpy(bytes, as);
  return array ? "parsed" : array.error().text;
}

TEST(Npy, WritesWhatNumPyWrites) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const std::string bytes =
      formatNpy(ScalarKind::Float32, {2, 3}, std::string_view(reinterpret_cast<const char *>(values), 24));
  EXPECT_EQ(bytes.size(), 128u + 24);
  std::string expected = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  expected.resize(117, ' ');
  EXPECT_EQ(bytes.substr(0, 128), file(expected + '\n', ""));
}

TEST(Npy, ComesBack) {
  const std::vector<std::vector<int64_t>> shapes{{}, {3}, {2, 3}, {0}, {1, 2, 3, 4}};
  for (int kind = 0; kind <= int(ScalarKind::Float8E5B16); ++kind)
    for (const std::vector<int64_t> &shape : shapes) {
      size_t bytes = scalarKindBytes(ScalarKind(kind));
      for (int64_t side : shape)
        bytes *= size_t(side);
      std::string data(bytes, '\x01');
      auto array = parseNpy(formatNpy(ScalarKind(kind), shape, data), ScalarKind(kind));
      ASSERT_TRUE(array) << array.error().text;
      EXPECT_EQ(array->type, ScalarKind(kind));
      EXPECT_EQ(array->shape, shape);
      EXPECT_EQ(array->data.size(), bytes);
    }
}

TEST(Npy, ReadsOtherVersionsAndSpellings) {
  auto array =
      parseNpy(file("{'shape': (2,), \"descr\":'|u1','fortran_order':True}\n", "ab", 2), std::nullopt);
  ASSERT_TRUE(array) << array.error().text;
  EXPECT_EQ(array->type, ScalarKind::UInt8);
  EXPECT_EQ(array->data[1], std::byte('b'));
}

TEST(Npy, BfloatFromWords) {
  const std::string words = file("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f");
  EXPECT_EQ(parseNpy(words, ScalarKind::BFloat16)->type, ScalarKind::BFloat16);
  EXPECT_EQ(parseNpy(words, std::nullopt)->type, ScalarKind::UInt16);
  const std::string untyped = file("{'descr': '|V2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f");
  EXPECT_EQ(parseNpy(untyped, ScalarKind::BFloat16)->type, ScalarKind::BFloat16);
  EXPECT_EQ(errorOf(untyped),
            "elements of type `|V2` say not what they are; name it, as in `@FILE.npy:bf16`");
}

TEST(Npy, EightBitFloatsAreBytes) {
  const std::string bytes = formatNpy(ScalarKind::Float8E4M3, {2}, "\x38\x7e");
  EXPECT_EQ(parseNpy(bytes, std::nullopt)->type, ScalarKind::UInt8);
  EXPECT_EQ(parseNpy(bytes, ScalarKind::Float8E5M2)->type, ScalarKind::Float8E5M2);
  EXPECT_EQ(errorOf(file("{'descr': '|V1', 'fortran_order': False, 'shape': (1,), }", "a")),
            "elements of type `|V1` say not what they are; name it, as in `@FILE.npy:bf16`");
}

TEST(Npy, Errors) {
  auto header = [](const char *descr, const char *rest = "'fortran_order': False, 'shape': (1,), }") {
    return std::string("{'descr': '") + descr + "', " + rest;
  };
  EXPECT_EQ(errorOf(""), "it is no .npy file");
  EXPECT_EQ(errorOf("PK\x03\x04 a zip archive"), "it is no .npy file");
  EXPECT_EQ(errorOf(file("", "", 9)), "expected version 1, 2 or 3 of the .npy format, found 9");
  EXPECT_EQ(errorOf(file(header("<f4"), "").substr(0, 20)), "its header is cut off");
  EXPECT_EQ(errorOf(file("{'descr': '<f4'}", "")), "its header cannot be read");
  EXPECT_EQ(errorOf(file("{'descr': ('a', 'b')}", "")), "its header cannot be read");
  EXPECT_EQ(errorOf(file(header(">f4"), "abcd")), "elements of type `>f4` cannot be passed to a kernel");
  EXPECT_EQ(errorOf(file(header("<c8"), "abcdefgh")), "elements of type `<c8` cannot be passed to a kernel");
  EXPECT_EQ(errorOf(file(header("<f4"), "abcd"), ScalarKind::Int32),
            "expected elements of type i32, found `<f4`");
  EXPECT_EQ(errorOf(file(header("<f4"), "abc")), "expected 4 bytes of elements, found 3");
  EXPECT_EQ(errorOf(file(header("<f4"), "abcde")), "expected 4 bytes of elements, found 5");
  EXPECT_EQ(errorOf(file(header("<f4", "'fortran_order': True, 'shape': (1,1), }"), "abcd")),
            "its elements are in Fortran order; save it with `numpy.ascontiguousarray`");
  EXPECT_EQ(
      errorOf(file(header("<f4", "'fortran_order': False, 'shape': (4611686018427387904,4), }"), "abcd")),
      "expected at most 1099511627776 elements, found the shape [4611686018427387904,4]");
}

TEST(Npy, DamagedFilesAreErrors) {
  const std::string whole = formatNpy(ScalarKind::Int32, {2, 2}, std::string(16, 'x'));
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole;
    for (unsigned change = 0; change <= random() % 4; ++change)
      bytes[random() % bytes.size()] = char(random());
    if (random() % 4 == 0)
      bytes.resize(random() % bytes.size());
    (void)bool(parseNpy(bytes, std::nullopt)); // must only not crash
  }
}

TEST(ArrayText, ShowsTheEnds) {
  auto text = [](ScalarKind type, std::vector<int64_t> shape, const void *data, size_t bytes) {
    return formatArray(type, shape, {static_cast<const std::byte *>(data), bytes}, 2);
  };
  const int32_t numbers[] = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(text(ScalarKind::Int32, {2, 3}, numbers, 24), "i32[2,3] [[0, 1, 2], [3, 4, 5]]");
  EXPECT_EQ(text(ScalarKind::Int32, {6}, numbers, 24), "i32[6] [0, 1, ..., 4, 5]");
  EXPECT_EQ(text(ScalarKind::Int32, {5}, numbers, 20), "i32[5] [0, 1, 2, 3, 4]");
  EXPECT_EQ(text(ScalarKind::Int32, {}, numbers, 4), "i32[] 0");
  EXPECT_EQ(text(ScalarKind::Int32, {0, 3}, numbers, 0), "i32[0,3] []");
  const float floats[] = {0.1f, -1, 1e30f};
  EXPECT_EQ(text(ScalarKind::Float32, {3}, floats, 12), "fp32[3] [0.1, -1, 1e+30]");
  const uint16_t halves[] = {0x3555, 0x3c00};
  EXPECT_EQ(text(ScalarKind::Float16, {2}, halves, 4), "fp16[2] [0.33325, 1]");
  const uint8_t eighths[] = {0x2b, 0x7e};
  EXPECT_EQ(text(ScalarKind::Float8E4M3, {2}, eighths, 2), "fp8e4nv[2] [0.344, 448]");
  const uint8_t flags[] = {1, 0};
  EXPECT_EQ(text(ScalarKind::Int1, {2}, flags, 2), "i1[2] [true, false]");
}

} // namespace
