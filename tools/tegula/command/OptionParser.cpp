// Words of a command line into the targets of a table.
#include "tools/tegula/command/Options.h"
#include "tools/tegula/command/OtherNames.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tegula::cli {

using runtime::Result;

namespace {

bool isFlag(const Option &option) { return option.value.empty(); }

/// A word that is an option: which one, and the value that stands in the same word.
struct Found {
  const Option *option = nullptr;
  std::string spelling;
  std::optional<std::string> value;
};

/// Looks up "--name", "--name=value", "-n" and "-nvalue".
Found findOption(const CommandTable &command, const std::string &word) {
  const bool isLong = word.starts_with("--");
  const size_t equals = word.find('=');
  Found found{nullptr, isLong ? word.substr(0, equals) : word.substr(0, 2), std::nullopt};
  for (const Option &option : command.options)
    if (option.name == found.spelling || option.otherName == found.spelling)
      found.option = &option;
  if (isLong && equals != std::string::npos)
    found.value = word.substr(equals + 1);
  else if (!isLong && word.size() > 2) // "-DX=1", "-k=add"
    found.value = word.substr(word[2] == '=' ? 3 : 2);
  return found;
}

/// Returns true if any word was taken for one that takes several.
bool isGiven(const Positional &positional) {
  const auto *several = std::get_if<std::vector<std::string> *>(&positional.target);
  return several && !(*several)->empty();
}

class Parser {
public:
  Parser(const CommandTable &command, std::span<const std::string> words) : command(command), words(words) {}

  Result<void> parse() {
    for (; at < words.size(); ++at)
      TRY(takeWord());
    for (size_t i = places; i < command.positionals.size(); ++i)
      if (command.positionals[i].isRequired && !isGiven(command.positionals[i]))
        return usageError(fmt::format("expected {}", command.positionals[i].name));
    return {};
  }

private:
  Result<void> takeWord() {
    const std::string &word = words[at];
    if (word == "--" && !optionsEnded) {
      optionsEnded = true;
      return {};
    }
    if (optionsEnded || word.size() < 2 || word[0] != '-')
      return takePositional(word);
    const Found found = findOption(command, word);
    if (!found.option)
      return unknown(word);
    if (isFlag(*found.option))
      return takeFlag(found);
    return takeValue(found);
  }

  Result<void> takePositional(const std::string &word) {
    if (places < command.positionals.size()) {
      const auto &target = command.positionals[places].target;
      if (auto *several = std::get_if<std::vector<std::string> *>(&target)) {
        (*several)->push_back(word);
        return {};
      }
      *std::get<std::string *>(target) = word;
      ++places;
      return {};
    }
    if (places == 0)
      return usageError(fmt::format("expected no argument, found `{}`", word));
    return usageError(fmt::format("expected one {}, found `{}` after `{}`", command.positionals.back().name,
                                  word, *std::get<std::string *>(command.positionals.back().target)));
  }

  Result<void> takeFlag(const Found &found) {
    if (found.value)
      return usageError(fmt::format("`{}` takes no value, found `{}`", found.spelling, *found.value));
    *std::get<bool *>(found.option->target) = true;
    return {};
  }

  Result<void> takeValue(const Found &found) {
    std::optional<std::string> value = found.value;
    if (!value)
      value = found.option->implied;
    if (!value) {
      // A value may begin with one dash, as negative numbers do; two are an option's.
      if (at + 1 == words.size() || words[at + 1].starts_with("--"))
        return usageError(fmt::format("expected {} after `{}`", found.option->value, found.spelling));
      value = words[++at];
    }
    if (auto *several = std::get_if<std::vector<std::string> *>(&found.option->target)) {
      (*several)->push_back(*value);
      return {};
    }
    if (!given.insert(found.option).second)
      return usageError(fmt::format("`{}` is given twice", found.spelling));
    if (value->empty())
      return usageError(fmt::format("expected {} after `{}=`", found.option->value, found.spelling));
    *std::get<std::string *>(found.option->target) = *value;
    return {};
  }

  runtime::Error unknown(const std::string &word) const {
    const std::string spelling = word.substr(0, word.find('='));
    const size_t dashes = std::min(spelling.find_first_not_of('-'), spelling.size());
    return usageError(fmt::format("`tegula {}` has no option `{}`{}", command.name, spelling,
                                  suggestion(spelling.substr(dashes))));
  }

  /// "; did you mean ...?" of a word without its dashes, in which all options are alike.
  std::string suggestion(const std::string &word) const {
    if (const std::string_view ours = optionCalled(word, command); !ours.empty())
      return fmt::format("; did you mean `{}`?", ours);
    std::vector<std::string> known{"help"};
    for (const Option &option : command.options)
      for (const std::string &name : {option.name, option.otherName})
        if (name.starts_with("--"))
          known.push_back(name.substr(2));
    std::string nearest = didYouMean(word, known);
    if (const size_t quote = nearest.find('`'); quote != std::string::npos)
      nearest.insert(quote + 1, "--");
    return nearest;
  }

  const CommandTable &command;
  std::span<const std::string> words;
  size_t at = 0, places = 0;
  bool optionsEnded = false;
  std::set<const Option *> given;
};

} // namespace

Result<void> parseOptions(const CommandTable &command, std::span<const std::string> words) {
  return Parser(command, words).parse();
}

bool asksForHelp(const CommandTable &command, std::span<const std::string> words) {
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == "-h" || words[i] == "--help")
      return true;
    if (words[i].size() < 2 || words[i][0] != '-')
      continue;
    const Found found = findOption(command, words[i]);
    const bool takesNext = found.option && !isFlag(*found.option) && !found.value && !found.option->implied;
    if (takesNext && i + 1 < words.size() && !words[i + 1].starts_with("--"))
      ++i;
  }
  return false;
}

} // namespace tegula::cli
