#include "dialect/image/KernelImageText.h"

#include "dialect/tile/LoopSharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// The number changes with the form of the lines.
static constexpr std::string_view firstLine = "// Tegula kernel 1";
static constexpr uint32_t warpSize = 32, maxThreads = 1024;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void append(std::string &out, char character, bool escape) {
  const auto byte = static_cast<unsigned char>(character);
  if (escape || byte < 0x20 || byte > 0x7e || byte == '\\')
    out += fmt::format("\\x{:02x}", byte);
  else
    out += character;
}

static std::string escaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i)
    append(out, text[i], text[i] == ' ' && (i == 0 || i + 1 == text.size()));
  return out;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A name among others on a line, apart from numbers.
static std::string nameInList(const KernelParam &param) {
  std::string out;
  for (char c : param.name)
    append(out, c, c == ' ' || c == ',' || (out.empty() && isDigit(c)));
  return out;
}

/// Between the divisor that code relies on and the one up to which more would do.
static constexpr std::string_view finerText = "..";

/// In front of the number of blocks that share a loop, and behind a loop of independent programs.
static constexpr std::string_view splitsByText = " by ", independentText = " independent";
/// After `implicit`.
static constexpr std::string_view firstText = "u32 first program";

static std::string numberText(const KernelImage &image, const LaunchNumber &number) {
  if (!number.param)
    return fmt::format("{}", number.factor);
  const std::string name = nameInList(image.params[*number.param]);
  return number.factor == 1 ? name : fmt::format("{}*{}", number.factor, name);
}

static constexpr std::string_view axisNames = "xyz";

/// Returns the text after `implicit` for the number of programs along `axis`.
static std::string programsText(uint8_t axis) { return fmt::format("u32 programs in {}", axisNames[axis]); }

/// The text after `programs`.
static constexpr std::string_view packedText = " in a block",
                                  persistentText = " persistent blocks a multiprocessor",
                                  pairsText = ", in pairs", orderedText = ", in groups of rows",
                                  clusterText = " in a cluster of ";
static std::string sharingText(const KernelImage &image) {
  if (image.clusterBlocks > 1)
    return fmt::format("{}{}{}", image.programsPerBlock, clusterText, image.clusterBlocks);
  const std::string_view pairs = image.hasPairs ? pairsText : std::string_view(),
                         ordered = image.isOrdered ? orderedText : std::string_view();
  return image.blocksPerMultiprocessor
             ? fmt::format("{}{}{}{}", image.blocksPerMultiprocessor, persistentText, pairs, ordered)
             : fmt::format("{}{}{}", image.programsPerBlock, packedText, ordered);
}

/// Takes `ending` off the end of `text`. Returns whether it was there.
static bool takeOff(std::string_view &text, std::string_view ending) {
  if (!text.ends_with(ending))
    return false;
  text.remove_suffix(ending.size());
  return true;
}

uint8_t implicitPrograms(const KernelImage &image) {
  return image.blocksPerMultiprocessor ? 3 : image.programsPerBlock > 1 ? 1 : 0;
}

/// Returns whether the blocks of a cluster run a program.
static bool isShared(const KernelImage &image) { return image.splits && image.splits->blocks > 1; }

/// Returns the text after `implicit`.
static std::string implicitText(const KernelImage &image, const ImplicitArgument &param) {
  if (param.kind == ImplicitKind::Programs)
    return programsText(param.axis);
  if (param.kind == ImplicitKind::First)
    return std::string(firstText);
  const TensorMap &map = param.map;
  std::string sizes, strides, box;
  for (const TensorMapAxis &axis : map.axes) {
    const char *comma = sizes.empty() ? "" : ",";
    sizes += comma + numberText(image, axis.size);
    strides += comma + numberText(image, axis.stride);
    box += fmt::format("{}{}", comma, axis.box);
  }
  return fmt::format("map {} {} sizes={} strides={} box={} swizzle={}", nameInList(image.params[map.base]),
                     map.element, sizes, strides, box, map.swizzle);
}

/// Returns the name that messages give an implicit kernel argument.
static std::string implicitName(const KernelImage &image, const ImplicitArgument &param) {
  if (param.kind == ImplicitKind::Programs)
    return fmt::format("programs in {}", axisNames[param.axis]);
  if (param.kind == ImplicitKind::First)
    return "the first program";
  return fmt::format("map of {}", image.params[param.map.base].name);
}

/// ":16"; ":1..8" of a multiple of 1 whose code would be better if it were one of up to 8.
static std::string factsText(const KernelParam &param) {
  if (param.finer > 1)
    return fmt::format(":{}{}{}", param.divisibility, finerText, param.finer);
  return param.divisibility > 1 ? fmt::format(":{}", param.divisibility) : std::string();
}

/// "K/64", with " by 8" where up to 8 blocks share the loop, and " independent" where programs are.
static std::string splitsText(const KernelImage &image, const SplitLoop &loop) {
  std::string text = fmt::format("{}/{}", numberText(image, loop.size), loop.step);
  if (loop.blocks > 1)
    text += fmt::format("{}{}", splitsByText, loop.blocks);
  return loop.isIndependent ? text + std::string(independentText) : text;
}

std::string launchText(const KernelImage &image) {
  std::string text = fmt::format("{}\n", firstLine);
  const auto line = [&](std::string_view key, std::string_view value) {
    text += fmt::format("// {:<8} {}\n", key, value);
  };
  line("kernel", escaped(nameOf(image)));
  line("source", escaped(image.sourceFile));
  line("entry", escaped(image.entry));
  line("target", escaped(image.target));
  line("block", fmt::format("{} threads", uint64_t(image.numWarps) * warpSize));
  line("shared", fmt::format("{} bytes", image.sharedBytes));
  line("programs", sharingText(image));
  for (const KernelParam &param : image.params)
    line("param", fmt::format("{}{} {}", param.type, factsText(param), escaped(param.name)));
  if (image.splits)
    line("splits", splitsText(image, *image.splits));
  for (const ImplicitArgument &param : image.implicit)
    line("implicit", implicitText(image, param));
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] != '\\') {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    unsigned byte = 0;
    if (text.size() < 4 || text[1] != 'x')
      return std::nullopt;
    auto [end, error] = std::from_chars(text.data() + 2, text.data() + 4, byte, 16);
    if (error != std::errc() || end != text.data() + 4)
      return std::nullopt;
    out += char(byte);
    text.remove_prefix(4);
  }
  return out;
}

template <typename T = uint32_t> std::optional<T> numberIn(std::string_view text) {
  T value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// `12` of "12 bytes" where `unit` is " bytes".
std::optional<uint32_t> amountIn(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit))
    return std::nullopt;
  return numberIn(text.substr(0, text.size() - unit.size()));
}

/// 2, 4 or 8; 0 of any other text.
uint32_t finerIn(std::string_view text) {
  const uint32_t divisor = numberIn(text).value_or(0);
  return divisor == 2 || divisor == 4 || divisor == 8 ? divisor : 0;
}

/// Kind and size of a parameter whose type is spelled "*fp32", "u16", "bf16", "fp8e5"...
bool setType(KernelParam &param, std::string_view type) {
  param.type = type;
  if (type.starts_with("*")) {
    param.kind = ParamKind::Pointer;
    param.size = 8;
    return type.size() > 1;
  }
  const std::optional<uint32_t> bytes = scalarBytes(type);
  param.kind = bytes && (type[0] == 'i' || type[0] == 'u') ? ParamKind::Integer : ParamKind::Float;
  param.size = bytes.value_or(0);
  return bytes.has_value();
}

/// The place of the parameter whose name is spelled `text` in a list.
std::optional<uint32_t> paramIn(const KernelImage &image, std::string_view text) {
  const std::optional<std::string> name = unescaped(text);
  for (uint32_t i = 0; name && i < image.params.size(); ++i)
    if (image.params[i].name == *name)
      return i;
  return std::nullopt;
}

/// "64", "n", "2*n".
std::optional<LaunchNumber> launchNumberIn(const KernelImage &image, std::string_view text) {
  LaunchNumber number;
  if (!text.empty() && isDigit(text[0])) {
    const size_t star = text.find('*');
    const std::optional<uint64_t> factor = numberIn<uint64_t>(text.substr(0, star));
    if (!factor)
      return std::nullopt;
    number.factor = *factor;
    if (star == std::string_view::npos)
      return number;
    text.remove_prefix(star + 1);
  }
  number.param = paramIn(image, text);
  return number.param ? std::optional(number) : std::nullopt;
}

/// The word before the next `separator`, taken off `text` with it.
std::string_view takeWord(std::string_view &text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

/// Parses "K/64 by 8 independent"; nothing where it is malformed.
std::optional<SplitLoop> splitLoopIn(const KernelImage &image, std::string_view text) {
  SplitLoop loop;
  if (text.ends_with(independentText)) {
    loop.isIndependent = true;
    text.remove_suffix(independentText.size());
  }
  if (const size_t by = text.rfind(splitsByText); by != std::string_view::npos) {
    loop.blocks = numberIn(text.substr(by + splitsByText.size())).value_or(0);
    if (!tile::mayShare(loop.blocks))
      return std::nullopt;
    text = text.substr(0, by);
  }
  const size_t slash = text.rfind('/');
  if (slash == std::string_view::npos)
    return std::nullopt;
  const std::optional<LaunchNumber> size = launchNumberIn(image, text.substr(0, slash));
  loop.step = numberIn(text.substr(slash + 1)).value_or(0);
  if (!size || loop.step == 0 || (size->param && image.params[*size->param].kind != ParamKind::Integer))
    return std::nullopt;
  loop.size = *size;
  return loop;
}

/// Parses the recipe of a tensor map from `text`, the line after "map"; nothing where it is malformed.
std::optional<TensorMap> tensorMapIn(const KernelImage &image, std::string_view text) {
  TensorMap map;
  const std::optional<uint32_t> base = paramIn(image, takeWord(text, ' '));
  map.element = takeWord(text, ' ');
  const std::optional<uint32_t> bytes = scalarBytes(map.element);
  std::array<std::string_view, 4> lists;
  static constexpr std::string_view keys[] = {"sizes=", "strides=", "box=", "swizzle="};
  for (size_t i = 0; i < lists.size(); ++i) {
    lists[i] = takeWord(text, ' ');
    if (!lists[i].starts_with(keys[i]))
      return std::nullopt;
    lists[i].remove_prefix(keys[i].size());
  }
  const std::optional<uint32_t> swizzle = numberIn(lists[3]);
  if (!base || !bytes || !swizzle || !text.empty())
    return std::nullopt;
  map.base = *base;
  map.elementBytes = *bytes;
  map.swizzle = *swizzle;
  while (!lists[0].empty()) {
    const std::optional<LaunchNumber> size = launchNumberIn(image, takeWord(lists[0], ',')),
                                      stride = launchNumberIn(image, takeWord(lists[1], ','));
    const std::optional<uint32_t> box = numberIn(takeWord(lists[2], ','));
    if (!size || !stride || !box)
      return std::nullopt;
    map.axes.push_back({*size, *stride, *box});
  }
  return lists[1].empty() && lists[2].empty() ? std::optional(std::move(map)) : std::nullopt;
}

/// Takes the lines off the front of a text, in their order.
class LineReader {
public:
  explicit LineReader(std::string_view text) : rest(text) {}

  std::string_view line() const {
    std::string_view text = rest.substr(0, rest.find('\n'));
    while (!text.empty() && (text.back() == '\r' || text.back() == ' '))
      text.remove_suffix(1);
    return text;
  }
  void next() {
    const size_t end = rest.find('\n');
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }

  /// The value of the next line where its key is `key`.
  std::optional<std::string_view> take(std::string_view key) {
    std::string_view text = line();
    if (!text.starts_with("// ") || !text.substr(3).starts_with(key))
      return std::nullopt;
    text.remove_prefix(3 + key.size());
    if (!text.empty() && text[0] != ' ')
      return std::nullopt;
    while (!text.empty() && text[0] == ' ')
      text.remove_prefix(1);
    next();
    return text;
  }

private:
  std::string_view rest;
};

class ImageReader {
public:
  explicit ImageReader(std::string_view ptx) : lines(ptx) {}

  Result<KernelImage> read() {
    if (lines.line() != firstLine)
      return wrong(fmt::format("`{}`", firstLine));
    lines.next();
    static constexpr std::pair<std::string_view, std::string KernelImage::*> names[] = {
        {"kernel", &KernelImage::kernel},
        {"source", &KernelImage::sourceFile},
        {"entry", &KernelImage::entry},
        {"target", &KernelImage::target}};
    for (auto [key, field] : names) {
      const std::string_view found = lines.line();
      std::optional<std::string_view> value = lines.take(key);
      std::optional<std::string> text = value ? unescaped(*value) : std::nullopt;
      if (!text)
        return wrong(fmt::format("`// {} ...`", key), found);
      image.*field = std::move(*text);
    }
    TRY(readSizes());
    TRY(readParams());
    return std::move(image);
  }

private:
  Error wrong(std::string_view expected, std::optional<std::string_view> found = std::nullopt) const {
    return {ErrorKind::InvalidArgument, fmt::format("cannot read the kernel's PTX: expected {}, found `{}`",
                                                    expected, found.value_or(lines.line()).substr(0, 80))};
  }

  Result<void> readSizes() {
    std::string_view found = lines.line();
    const std::optional<uint32_t> threads = amountIn(lines.take("block").value_or(""), " threads");
    if (!threads || *threads == 0 || *threads > maxThreads || *threads % warpSize)
      return wrong(fmt::format("`// block N threads`, whole warps and at most {}", maxThreads), found);
    image.numWarps = *threads / warpSize;
    found = lines.line();
    const std::optional<uint32_t> shared = amountIn(lines.take("shared").value_or(""), " bytes");
    if (!shared)
      return wrong("`// shared N bytes`", found);
    image.sharedBytes = *shared;
    found = lines.line();
    std::string_view sharing = lines.take("programs").value_or("");
    image.isOrdered = takeOff(sharing, orderedText);
    std::string_view alone = sharing;
    if (takeOff(alone, pairsText) && amountIn(alone, persistentText)) { // else the text is wrong
      image.hasPairs = true;
      sharing = alone;
    }
    if (const std::optional<uint32_t> blocks = amountIn(sharing, persistentText); blocks && *blocks > 0) {
      image.blocksPerMultiprocessor = *blocks;
      return {};
    }
    // A blank at the end of a line is gone.
    constexpr std::string_view inCluster = clusterText.substr(0, clusterText.size() - 1);
    if (const size_t cluster = sharing.find(inCluster); cluster != std::string_view::npos) {
      std::string_view blocks = sharing.substr(cluster + inCluster.size());
      blocks.remove_prefix(std::min<size_t>(blocks.size(), 1));
      image.clusterBlocks = numberIn(blocks).value_or(0);
      if (sharing.substr(0, cluster) != "1" || !tile::mayShare(image.clusterBlocks) || image.isOrdered)
        return wrong(fmt::format("`// programs 1{}N` of 2, 4 or 8", clusterText), found);
      return {};
    }
    const std::optional<uint32_t> programs = amountIn(sharing, packedText);
    if (!programs || (*programs != 1 && *programs != image.numWarps))
      return wrong(fmt::format("`// programs N{}`, 1 or one for each of {} warps, or `// programs N{}`",
                               packedText, image.numWarps, persistentText),
                   found);
    image.programsPerBlock = *programs;
    return {};
  }

  Result<void> readParams() {
    for (std::string_view found = lines.line(); std::optional<std::string_view> value = lines.take("param");
         found = lines.line()) {
      const size_t blank = value->find(' ');
      std::string_view type = value->substr(0, blank);
      KernelParam param;
      if (const size_t colon = type.find(':'); colon != std::string_view::npos) {
        const std::string_view facts = type.substr(colon + 1);
        const size_t finer = facts.find(finerText);
        param.divisibility = numberIn(facts.substr(0, finer)).value_or(0);
        if (finer != std::string_view::npos)
          param.finer = finerIn(facts.substr(finer + finerText.size()));
        type = type.substr(0, colon);
      }
      std::optional<std::string> name;
      if (blank != std::string_view::npos)
        name = unescaped(value->substr(blank + 1));
      if (!name || name->empty() || param.divisibility == 0 || param.finer == 0 || !setType(param, type))
        return wrong("`// param TYPE NAME`", found);
      param.name = std::move(*name);
      addParam(image, std::move(param));
      if (image.paramBytes > maxParamBytes)
        return wrong(fmt::format("at most {} bytes of parameters", maxParamBytes), found);
    }
    return readSplits();
  }

  Result<void> readSplits() {
    const std::string_view found = lines.line();
    const std::optional<std::string_view> value = lines.take("splits");
    if (value && !(image.splits = splitLoopIn(image, *value)))
      return wrong("`// splits   SIZE/STEP [by BLOCKS] [independent]`", found);
    return readImplicit();
  }

  Result<void> readImplicit() {
    for (std::string_view found = lines.line();
         std::optional<std::string_view> value = lines.take("implicit"); found = lines.line()) {
      constexpr std::string_view mapKey = "map ";
      if (value->starts_with(mapKey)) {
        std::optional<TensorMap> map = tensorMapIn(image, value->substr(mapKey.size()));
        if (!map)
          return wrong(
              "`// implicit map POINTER ELEMENT sizes=N,... strides=1,N,... box=N,... swizzle=N`, each N a "
              "number, an integer parameter or number*parameter",
              found);
        if (Result<void> checked = checkTensorMap(image, *map); !checked)
          return Error{ErrorKind::InvalidArgument, fmt::format("cannot read the kernel's PTX: {} in `{}`",
                                                               checked.error().text, found.substr(0, 80))};
        addImplicitMap(image, std::move(*map));
      } else {
        const auto axis = uint8_t(image.implicit.size());
        if (isShared(image) && axis == 0 && *value == firstText) {
          addImplicitFirst(image);
          continue;
        }
        if (axis >= implicitPrograms(image) || *value != programsText(axis))
          return wrong(axis < implicitPrograms(image) ? fmt::format("`// implicit {}`", programsText(axis))
                                                      : "`// implicit map ...`",
                       found);
        addImplicitPrograms(image, axis);
      }
      if (entryParamBytes(image) > maxParamBytes)
        return wrong(fmt::format("at most {} bytes of parameters", maxParamBytes), found);
    }
    return {};
  }

  LineReader lines;
  KernelImage image;
};

} // namespace

Result<KernelImage> readKernelImage(std::string ptx) {
  Result<KernelImage> image = ImageReader(ptx).read();
  if (image)
    image->ptx = std::move(ptx);
  return image;
}

//===----------------------------------------------------------------------===//
// The code itself
//===----------------------------------------------------------------------===//

/// Returns the text after the first `.entry ` of `text` outside comments and names of files.
static std::optional<std::string_view> afterEntry(std::string_view text) {
  constexpr std::string_view directive = ".entry ";
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("//") && !line.starts_with(".file"))
      if (size_t at = line.find(directive); at != std::string_view::npos)
        return std::string_view(line.data() + at + directive.size(), text.data() + text.size());
    text.remove_prefix(std::min(size_t(line.data() + line.size() - text.data()) + 1, text.size()));
  }
  return std::nullopt;
}

/// Bytes of a parameter as PTX declares it: `.u64 .ptr .global .align 16 x`, `.align 2 .b8 y[2]`. 0 for
/// anything else.
static uint32_t declaredBytes(std::string_view declaration) {
  constexpr std::string_view align = ".align ";
  if (declaration.starts_with(align))
    declaration.remove_prefix(std::min(declaration.find('.', align.size()), declaration.size()));
  const std::string_view type = declaration.substr(0, declaration.find(' '));
  const uint32_t bits = numberIn(type.substr(std::min<size_t>(2, type.size()))).value_or(0);
  uint32_t count = 1;
  if (const size_t bracket = declaration.find('['); bracket != std::string_view::npos) {
    const std::string_view rest = declaration.substr(bracket + 1);
    count = numberIn(rest.substr(0, rest.find(']'))).value_or(0);
  }
  return bits / 8 * count;
}

Result<void> checkCode(const KernelImage &image) {
  const auto wrong = [](std::string text) { return Error{ErrorKind::InvalidArgument, std::move(text)}; };
  const std::optional<std::string_view> rest = afterEntry(image.ptx);
  if (!rest || afterEntry(*rest))
    return wrong("expected one `.entry`");
  if (const std::string_view name = rest->substr(0, rest->find_first_of("( \t\r\n")); name != image.entry)
    return wrong(fmt::format("expected the entry `{}`, found `{}`", image.entry, name));
  std::vector<std::pair<std::string, uint32_t>> expected; // parameters by name, with their bytes
  expected.reserve(image.params.size() + image.implicit.size());
  for (const KernelParam &param : image.params)
    expected.emplace_back(param.name, param.size);
  for (const ImplicitArgument &param : image.implicit)
    expected.emplace_back(implicitName(image, param), param.size);

  const std::string_view head = rest->substr(0, rest->find('{'));
  constexpr std::string_view directive = ".param ";
  const std::string mapAlignment = fmt::format(".align {} ", tensorMapAlignment);
  size_t index = 0;
  for (size_t at = head.find(directive); at != std::string_view::npos;
       at = head.find(directive, at + 1), ++index) {
    std::string_view declaration = head.substr(at + directive.size());
    declaration = declaration.substr(0, declaration.find_first_of(",)\r\n"));
    if (index < expected.size() && declaredBytes(declaration) != expected[index].second)
      return wrong(fmt::format("expected {} bytes for parameter `{}`, found `{}`", expected[index].second,
                               expected[index].first, declaration));
    const size_t implicit = index - std::min(index, image.params.size());
    if (index >= image.params.size() && implicit < image.implicit.size() &&
        image.implicit[implicit].kind == ImplicitKind::Map && !declaration.starts_with(mapAlignment))
      return wrong(fmt::format("expected `{}` for parameter `{}`, found `{}`", mapAlignment,
                               expected[index].first, declaration));
  }
  if (index != expected.size())
    return wrong(fmt::format("expected {} parameters, found {}", expected.size(), index));
  const std::string threads = fmt::format(".reqntid {}", image.numWarps * warpSize);
  const size_t at = head.find(threads);
  const std::string_view after = at == std::string_view::npos ? "" : head.substr(at + threads.size());
  if (at == std::string_view::npos || (!after.empty() && after[0] >= '0' && after[0] <= '9'))
    return wrong(fmt::format("expected `{}`", threads));
  return {};
}

} // namespace tegula
