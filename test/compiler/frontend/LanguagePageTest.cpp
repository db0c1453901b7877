// The page that says of every name of the language whether it works: made of `language-names.txt`, by
// compiling what stands there. TEGULA_WRITE_PAGE=1 writes it anew where it is stale.
#include "test/compiler/frontend/Harness.h"

#include "compiler/LanguageVersion.h"
#include "compiler/frontend/builtins/BuiltinTable.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

const std::string folder = std::string(TEGULA_SOURCE_DIR) + "/";

const NamedArguments parameters = {{"p", "*fp32"},
                                   {"q", "*i32"},
                                   {"h", "*fp16"},
                                   {"b", "*i8"},
                                   {"n", "i32"},
                                   {"d", "tensordesc<fp32[16,32]>"},
                                   {"e", "tensordesc<fp32[1,16]>"}};
constexpr std::string_view before =
    "from typing import NamedTuple\n"
    "class Pair(NamedTuple):\n"
    "    first: tl.tensor\n"
    "    second: tl.tensor = None\n"
    "@triton.aggregate\n"
    "class Sum:\n"
    "    first: tl.tensor\n"
    "    second: tl.tensor\n"
    "    @triton.jit\n"
    "    def __add__(self, other):\n"
    "        return Sum(self.first + other, self.second)\n"
    "@triton.jit\n"
    "def combine(a, b):\n"
    "    return a + b\n"
    "@triton.jit\n"
    "def eight():\n"
    "    return 8\n"
    "@triton.jit\n"
    "def kernel(p, q, h, b, n, d, e):\n"
    "    i = tl.arange(0, 16)\n"
    "    x = tl.load(p + i)\n"
    "    k = tl.load(q + i)\n"
    "    s = tl.load(p + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :])\n";

struct Row {
  std::string name, since, statements, differs;
};

std::string readFile(const std::string &path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string trimmed(std::string text) {
  const char *blanks = " \t";
  text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
  text.erase(text.find_last_not_of(blanks) + 1);
  return text;
}

/// Takes "@3.7" off the end of a name; empty where it does not end so.
std::string takeVersion(std::string &name) {
  const size_t at = name.rfind(" @");
  if (at == std::string::npos)
    return "";
  std::string version = name.substr(at + 2);
  EXPECT_NE(lookupLanguageVersion(version), nullptr) << name;
  name = name.substr(0, at);
  return version;
}

/// "a @3.7 | b | c" at bars with blanks around.
Row rowOf(const std::string &line) {
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t bar = line.find(" | "); bar != std::string::npos && parts.size() < 2;
       bar = line.find(" | ", from)) {
    parts.push_back(line.substr(from, bar - from));
    from = bar + 3;
  }
  parts.push_back(line.substr(from));
  parts.resize(3);
  std::string name = trimmed(parts[0]), since = takeVersion(name);
  return {name, since, trimmed(parts[1]), trimmed(parts[2])};
}

/// The first message about the statements, empty where they compile.
std::string problemOf(const std::string &statements) {
  std::string source(before), line;
  std::stringstream rest(statements);
  while (std::getline(rest, line, ';'))
    source += "    " + trimmed(line) + "\n";
  const Evaluated made = evaluate(source, parameters, /*debug=*/true, "kernel");
  for (const Diagnostic &diagnostic : made.diagnostics)
    if (diagnostic.severity == Severity::Error) {
      EXPECT_GT(diagnostic.line, 0u) << statements;
      EXPECT_EQ(diagnostic.message.find("internal error"), std::string::npos) << diagnostic.message;
      return diagnostic.message;
    }
  return "";
}

std::string cell(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

class Page {
public:
  void section(const std::string &title) {
    text += (text.empty() ? "" : "\n") + ("## " + title) + "\n\n| name | | since | |\n|---|---|---|---|\n";
  }
  void row(const std::string &name, const std::string &since, const std::string &state,
           const std::string &note) {
    text += "| " + cell(name) + " | " + state + " | " + since + " | " + cell(note) + " |\n";
    ++counts[state];
  }
  std::string whole() const {
    std::string head =
        "# The language, name by name\n\n"
        "Made by a test (`test/compiler/frontend/LanguagePageTest.cpp`) of the table beside it, which holds a few\n"
        "statements for each name. *Works* compiles them; *differs* too, and says how it differs from Triton 3.6.\n"
        "*Refused* is what Triton refuses as well. *Not yet* is what the compiler refuses, in its own words, with the\n"
        "line and a caret. *Since* is the version of Triton that brought the name, where 3.6 has it not: it is known\n"
        "whichever version is asked for. What it all computes the tests in `test/python/language` say.\n\n";
    for (const auto &[state, count] : counts)
      head += "- " + state + ": " + std::to_string(count) + "\n";
    return head + "\n" + text;
  }

private:
  std::string text;
  std::map<std::string, int> counts;
};

/// The functions of libdevice, from the compiler's own table.
void addLibdevice(Page &page) {
  const eval::FunctionTable &table = eval::languageFunctions();
  std::set<std::string> names;
  auto add = [&](std::string_view name) { names.emplace(name); };
  table.forEachBuiltin(eval::InLibdevice, add);
  table.forEachLibrary(eval::ModuleId::Libdevice, /*methodsOnly=*/false, add);
  page.section("tl.extra.libdevice");
  for (const std::string &name : names)
    page.row(name, "", "works", "");
}

} // namespace

TEST(LanguagePage, SaysWhatWorks) {
  Page page;
  std::set<std::string> seen;
  std::stringstream table(readFile(folder + "test/compiler/frontend/language-names.txt"));
  std::string line;
  while (std::getline(table, line)) {
    if (line.empty() || line.starts_with("#"))
      continue;
    if (line.starts_with("= ")) {
      page.section(line.substr(2));
      continue;
    }
    const Row row = rowOf(line);
    EXPECT_FALSE(row.statements.empty()) << line;
    EXPECT_TRUE(seen.insert(row.name).second) << row.name << " stands there twice";
    const std::string problem = problemOf(row.statements);
    if (!problem.empty())
      page.row(row.name, row.since, row.differs.empty() ? "not yet" : "refused",
               row.differs.empty() ? problem : row.differs);
    else
      page.row(row.name, row.since, row.differs.empty() ? "works" : "differs", row.differs);
  }
  addLibdevice(page);
  const std::string path = folder + "compiler/frontend/LANGUAGE.md";
  if (std::getenv("TEGULA_WRITE_PAGE"))
    std::ofstream(path) << page.whole();
  EXPECT_EQ(readFile(path), page.whole()) << "the page is stale: run this test with TEGULA_WRITE_PAGE=1";
}
