#include "tools/tegula/debug/Console.h"

#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

std::string Console::help() const {
  std::string text;
  for (const Command &one : commands) {
    std::string names = one.names.front();
    for (size_t i = 1; i < one.names.size(); ++i)
      names += ", " + one.names[i];
    text +=
        fmt::format("  {:<34} {}\n", names + (one.arguments.empty() ? "" : " ") + one.arguments, one.meaning);
  }
  return text + notes;
}

void Console::addMove(std::vector<std::string> names, const char *meaning,
                      std::function<std::string()> move) {
  std::string name = names.front();
  commands.push_back({std::move(names), "[N]", meaning,
                      [this, name = std::move(name), move = std::move(move)](const std::string &times) {
                        const runtime::Result<uint32_t> count = parseCount(times.empty() ? "1" : times, name);
                        if (!count || *count == 0)
                          return error(
                              fmt::format("expected how many times to `{}`, found `{}`", name, times));
                        last = fmt::format("{} {}", name, times);
                        std::string shown;
                        for (uint32_t i = 0; i < *count && !shown.starts_with("error:"); ++i)
                          shown = move();
                        return shown;
                      }});
}

void Console::addEnd() {
  commands.push_back({{"help", "h"}, "", "show this", [this](const std::string &) { return help(); }});
  commands.push_back({{"quit", "q", "exit"}, "", "end", [this](const std::string &) {
                        done = true;
                        return std::string();
                      }});
}

std::string Console::command(std::string_view line) {
  std::string text(trim(line));
  if (text.empty())
    text = last;
  if (text.empty() || text.starts_with('#'))
    return "";
  const size_t blank = std::min(text.find_first_of(" \t"), text.size());
  const std::string name = text.substr(0, blank), arguments(trim(std::string_view(text).substr(blank)));
  std::vector<std::string> known;
  for (const Command &one : commands) {
    if (std::find(one.names.begin(), one.names.end(), name) != one.names.end())
      return one.work(arguments);
    known.insert(known.end(), one.names.begin(), one.names.end());
  }
  return error(fmt::format("no command `{}`{}; `help` lists them", name, didYouMean(name, known)));
}

} // namespace tegula::cli
