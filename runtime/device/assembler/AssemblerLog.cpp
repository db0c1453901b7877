#include "runtime/device/assembler/AssemblerLog.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace tegula::runtime {

/// Returns the part of `text` between `before` and the next `after`.
static std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                               std::string_view after) {
  const size_t start = text.find(before);
  if (start == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(start + before.size());
  const size_t end = text.find(after);
  return end == std::string_view::npos ? std::nullopt : std::optional(text.substr(0, end));
}

/// Takes the next line off `text`.
static std::string_view takeLine(std::string_view &text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// The number that ends where `what` begins: 26 of "Used 26 registers" for " registers".
static std::optional<uint32_t> numberBefore(std::string_view line, std::string_view what) {
  const size_t end = line.find(what);
  if (end == std::string_view::npos)
    return std::nullopt;
  size_t start = end;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9')
    --start;
  uint32_t number = 0;
  if (std::from_chars(line.data() + start, line.data() + end, number).ptr != line.data() + end ||
      start == end)
    return std::nullopt;
  return number;
}

std::vector<EntryResources> readResources(std::string_view log) {
  std::vector<EntryResources> entries;
  // The line of the stack belongs to the function named before it, which need not be an entry.
  std::string_view function;
  while (!log.empty()) {
    const std::string_view line = takeLine(log);
    if (auto entry = between(line, "Compiling entry function '", "'"))
      entries.emplace_back().entry = *entry;
    else if (const size_t at = line.find("Function properties for "); at != std::string_view::npos)
      function = line.substr(at + std::string_view("Function properties for ").size());
    if (entries.empty())
      continue;
    EntryResources &last = entries.back();
    if (auto stack = numberBefore(line, " bytes stack frame"); stack && function == last.entry) {
      last.stackBytes = *stack;
      last.spillStoreBytes = numberBefore(line, " bytes spill stores").value_or(0);
      last.spillLoadBytes = numberBefore(line, " bytes spill loads").value_or(0);
    }
    // The linker's own summary says "used", of the same entry once more.
    if (line.find("Used ") != std::string_view::npos)
      last.registers = numberBefore(line, " registers").value_or(last.registers);
  }
  return entries;
}

std::vector<std::string> readWarnings(std::string_view log) {
  std::vector<std::string> warnings;
  while (!log.empty()) {
    const std::string_view line = takeLine(log);
    size_t start = line.find("(C75");
    if (start == std::string_view::npos)
      start = line.find("warning");
    if (start != std::string_view::npos && std::ranges::find(warnings, line.substr(start)) == warnings.end())
      warnings.emplace_back(line.substr(start));
  }
  return warnings;
}

/// The words of a directive, without blanks in front.
static std::string_view directiveOf(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

/// The number that `text` begins with behind blanks, taken off it; nothing where there is none.
static std::optional<uint32_t> takeNumber(std::string_view &text) {
  text = directiveOf(text);
  uint32_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc())
    return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  return number;
}

/// Returns the place in the last `.loc` before line `wanted` of `ptx`, as `file:line:column: `; empty without
/// one.
static std::string sourcePlace(std::string_view ptx, uint32_t wanted) {
  uint32_t file = 0, row = 0, column = 0;
  std::map<uint32_t, std::string_view> files; // which stand at the end
  for (uint32_t number = 1; !ptx.empty(); ++number) {
    std::string_view line = directiveOf(takeLine(ptx));
    if (line.starts_with(".loc") && number < wanted) {
      line.remove_prefix(std::string_view(".loc").size());
      file = takeNumber(line).value_or(0);
      row = takeNumber(line).value_or(0);
      column = takeNumber(line).value_or(0);
    } else if (line.starts_with(".file")) {
      line.remove_prefix(std::string_view(".file").size());
      if (auto known = takeNumber(line))
        files[*known] = between(line, "\"", "\"").value_or("");
    }
  }
  return row && !files[file].empty() ? fmt::format("{}:{}:{}: ", files[file], row, column) : "";
}

std::string withSourcePlaces(std::string_view log, std::string_view ptx) {
  std::string result;
  while (!log.empty()) {
    const std::string_view line = takeLine(log);
    std::string_view number = between(line, "line ", ";").value_or("");
    if (auto place = takeNumber(number))
      result += sourcePlace(ptx, *place);
    result.append(line).append(log.empty() ? "" : "\n");
  }
  return result;
}

Error wholeProgramError(const std::string &name) {
  return {ErrorKind::Unavailable,
          fmt::format("{} links what it assembles, and ignores `setmaxnreg` there", name)};
}

Error assemblyError(const std::string &name, const std::string &arch, std::string_view log,
                    std::string_view ptx) {
  if (auto wanted = between(log, "Unsupported .version ", ";")) {
    const auto known = between(log, "current version is '", "'");
    return {ErrorKind::Unavailable, fmt::format("{} is too old for PTX {}{}", name, *wanted,
                                                known ? fmt::format(": it knows PTX up to {}", *known) : "")};
  }
  if (log.find("for option 'gpu-name'") != std::string_view::npos ||
      log.find("unrecognized architecture") != std::string_view::npos)
    return {ErrorKind::Unavailable, fmt::format("{} does not know the architecture {}", name, arch)};
  while (!log.empty() && (log.back() == '\n' || log.back() == ' ' || log.back() == '\0'))
    log.remove_suffix(1);
  // An assembler that prints no reason has failed by itself.
  return {log.empty() ? ErrorKind::Driver : ErrorKind::Compile,
          fmt::format("cannot assemble for {}: {} failed{}{}", arch, name, log.empty() ? "" : ":\n",
                      withSourcePlaces(log, ptx))};
}

} // namespace tegula::runtime
