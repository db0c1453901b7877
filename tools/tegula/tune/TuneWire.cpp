#include "tools/tegula/tune/TuneWire.h"

#include "runtime/host/Files.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <sstream>
#include <unistd.h>

namespace tegula::cli {

/// `text` as one word: bytes in hexadecimal, with a mark in front so that none is a word too.
static std::string word(const std::string &text) { return "x" + llvm::toHex(text, /*LowerCase=*/true); }

static std::string textOf(llvm::StringRef word) { return llvm::fromHex(word.drop_front()); }

/// The line with its end.
static std::string wireText(const WireLine &line) {
  struct Visitor {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const DeviceLine &device) const {
      return fmt::format("device {}", word(device.name));
    }
    std::string operator()(const BeginLine &begin) const { return fmt::format("begin {}", begin.config); }
    std::string operator()(const KeyLine &key) const { return fmt::format("key {}", word(key.key)); }
    std::string operator()(const jit::TunedChoice &choice) const {
      return fmt::format("choice {} {}", choice.config, choice.milliseconds);
    }
    std::string operator()(const runtime::Error &error) const {
      return fmt::format("error {} {}", int(error.kind), word(error.text));
    }
    std::string operator()(const jit::Trial &trial) const {
      std::string head = fmt::format("trial {} {} {} {} {}", trial.config, trial.registers, trial.spillBytes,
                                     trial.sharedBytes, word(trial.skipped));
      if (!trial.times)
        return head;
      return head + fmt::format(" {} {} {} {}", trial.times->median, trial.times->low, trial.times->high,
                                trial.times->launches);
    }
  };
  return std::visit(Visitor(), line) + '\n';
}

WireLine readLine(const std::string &line) {
  std::istringstream in(line);
  std::string kind, text;
  in >> kind;
  if (kind == "device" && in >> text)
    return DeviceLine{textOf(text)};
  if (BeginLine begin{}; kind == "begin" && in >> begin.config)
    return begin;
  if (kind == "key" && in >> text)
    return KeyLine{textOf(text)};
  if (jit::TunedChoice choice; kind == "choice" && in >> choice.config >> choice.milliseconds)
    return choice;
  if (int error = 0; kind == "error" && in >> error >> text)
    return runtime::Error{runtime::ErrorKind(error), textOf(text)};
  jit::Trial trial;
  if (kind != "trial" ||
      !(in >> trial.config >> trial.registers >> trial.spillBytes >> trial.sharedBytes >> text))
    return {};
  trial.skipped = textOf(text);
  if (jit::Trial::Times times; in >> times.median >> times.low >> times.high >> times.launches)
    trial.times = times;
  return trial;
}

void writeLine(int wire, const WireLine &line) { (void)runtime::writeAll(wire, wireText(line)); }

} // namespace tegula::cli
