#include "tools/tegula/arguments/Npy.h"

#include "tools/tegula/arguments/Arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static constexpr std::string_view magic = "\x93NUMPY";

static Error invalid(std::string text) { return {ErrorKind::Io, std::move(text)}; }

namespace {

/// The dict of the header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<int64_t> shape;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};

/// Reads that dict and nothing more of Python.
class HeaderReader {
public:
  explicit HeaderReader(std::string_view text) : rest(text) {}

  bool read(Header &header) {
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':') || !value(key, header))
        return false;
      if (!take(',') && !peek('}'))
        return false;
    }
    return header.hasDescr && header.hasOrder && header.hasShape;
  }

private:
  void skip() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t'))
      rest.remove_prefix(1);
  }
  bool peek(char c) {
    skip();
    return !rest.empty() && rest[0] == c;
  }
  bool take(char c) {
    if (!peek(c))
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool word(std::string_view expected) {
    skip();
    if (!rest.starts_with(expected))
      return false;
    rest.remove_prefix(expected.size());
    return true;
  }
  bool string(std::string &result) {
    skip();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    const size_t end = rest.find(rest[0], 1);
    if (end == std::string_view::npos)
      return false;
    result = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool value(const std::string &key, Header &header) {
    if (key == "descr")
      return header.hasDescr = string(header.descr);
    if (key == "fortran_order") {
      header.fortran = word("True");
      return header.hasOrder = header.fortran || word("False");
    }
    if (key == "shape")
      return header.hasShape = tuple(header.shape);
    return false;
  }
  bool tuple(std::vector<int64_t> &sides) {
    if (!take('('))
      return false;
    while (!take(')')) {
      skip();
      int64_t side = 0;
      auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), side);
      if (error != std::errc() || side < 0 || sides.size() == maxSides)
        return false;
      rest.remove_prefix(size_t(end - rest.data()));
      sides.push_back(side);
      if (!take(',') && !peek(')'))
        return false;
    }
    return true;
  }
  std::string_view rest;
};

/// The meaning of a descr without its byte order.
struct Described {
  std::string_view descr;
  uint32_t bytes;
  std::optional<ScalarKind> type; ///< absent for untyped words
  bool isWord;                    ///< unsigned or untyped: may hold another type
};
constexpr Described descriptions[] = {
    {"b1", 1, ScalarKind::Int1, false},    {"i1", 1, ScalarKind::Int8, false},
    {"i2", 2, ScalarKind::Int16, false},   {"i4", 4, ScalarKind::Int32, false},
    {"i8", 8, ScalarKind::Int64, false},   {"u1", 1, ScalarKind::UInt8, true},
    {"u2", 2, ScalarKind::UInt16, true},   {"u4", 4, ScalarKind::UInt32, true},
    {"u8", 8, ScalarKind::UInt64, true},   {"f2", 2, ScalarKind::Float16, false},
    {"f4", 4, ScalarKind::Float32, false}, {"f8", 8, ScalarKind::Float64, false},
    {"V1", 1, std::nullopt, true},         {"V2", 2, std::nullopt, true},
};

} // namespace

static Result<ScalarKind> typeOf(const std::string &descr, std::optional<ScalarKind> as) {
  const Described *found = nullptr;
  for (const Described &each : descriptions)
    if (descr.size() == 3 && descr.substr(1) == each.descr)
      found = &each;
  const bool order = !descr.empty() && (descr[0] == '<' || descr[0] == '|' || descr[0] == '=');
  if (!found || !order)
    return invalid(fmt::format("elements of type `{}` cannot be passed to a kernel", descr));
  if (!as) {
    if (!found->type)
      return invalid(
          fmt::format("elements of type `{}` say not what they are; name it, as in `@FILE.npy:bf16`", descr));
    return *found->type;
  }
  if (found->type == as || (found->isWord && found->bytes == scalarKindBytes(*as)))
    return *as;
  return invalid(fmt::format("expected elements of type {}, found `{}`", scalarKindName(*as), descr));
}

/// The dict's text and the place where the elements begin.
static Result<std::pair<std::string_view, size_t>> locate(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with(magic))
    return invalid("it is no .npy file");
  const unsigned major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3)
    return invalid(fmt::format("expected version 1, 2 or 3 of the .npy format, found {}", major));
  const size_t lengthBytes = major == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes && 8 + i < bytes.size(); ++i)
    length |= size_t(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  const size_t start = 8 + lengthBytes;
  if (start > bytes.size() || length > bytes.size() - start)
    return invalid("its header is cut off");
  return std::pair(bytes.substr(start, length), start + length);
}

Result<NpyArray> parseNpy(std::string_view bytes, std::optional<ScalarKind> as) {
  std::pair<std::string_view, size_t> place = TRY(locate(bytes));
  Header header;
  if (!HeaderReader(place.first).read(header))
    return invalid("its header cannot be read");
  ScalarKind type = TRY(typeOf(header.descr, as));
  if (header.fortran && header.shape.size() > 1)
    return invalid("its elements are in Fortran order; save it with `numpy.ascontiguousarray`");
  NpyArray array;
  array.type = type;
  array.shape = header.shape;
  uint64_t count = 1;
  for (int64_t side : array.shape) {
    if (side != 0 && count > maxElements / uint64_t(side))
      return invalid(fmt::format("expected at most {} elements, found the shape {}", maxElements,
                                 formatShape(array.shape)));
    count *= uint64_t(side);
  }
  const uint64_t expected = count * scalarKindBytes(array.type);
  const std::string_view data = bytes.substr(place.second);
  if (data.size() != expected)
    return invalid(fmt::format("expected {} bytes of elements, found {}", expected, data.size()));
  array.data.resize(expected);
  if (expected)
    std::memcpy(array.data.data(), data.data(), expected);
  return array;
}

std::string formatNpy(ScalarKind type, const std::vector<int64_t> &shape, std::string_view data) {
  // numpy has no name for bfloat16 and the floats of eight bits.
  std::string_view descr = scalarKindBytes(type) == 1 ? "u1" : "u2";
  for (const Described &each : descriptions)
    if (each.type == type)
      descr = each.descr;
  std::string sides;
  for (int64_t side : shape)
    sides += fmt::format("{}, ", side);
  if (shape.size() > 1) // a tuple of one needs its comma
    sides.resize(sides.size() - 2);
  else if (shape.size() == 1)
    sides.pop_back();
  const char order = scalarKindBytes(type) == 1 ? '|' : '<';
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", order, descr, sides);
  // The elements begin at a multiple of 64, so that they can be mapped.
  header.append(63 - (magic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  std::string file(magic);
  file += {'\x01', '\x00', char(header.size() & 0xff), char(header.size() >> 8)};
  file += header;
  file += data;
  return file;
}

} // namespace tegula::cli
