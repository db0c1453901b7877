// The page that says of every name of the language whether it works: made of the description of its
// functions, and of `language-names.txt` for all else, by compiling what stands there. TEGULA_WRITE_PAGE=1
// writes it anew where it is stale.
#include "test/compiler/frontend/Harness.h"

#include "compiler/spec/LanguageVersion.h"

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
    "@tl.core.extern\n"
    "def of_library(a):\n"
    "    return tl.core.extern_elementwise('', '', [a], {(tl.float32,): ('f', tl.float32)}, is_pure=True)\n"
    "@triton.jit\n"
    "def kernel(p, q, h, b, n, d, e):\n"
    "    i = tl.arange(0, 16)\n"
    "    x = tl.load(p + i)\n"
    "    k = tl.load(q + i)\n"
    "    s = tl.load(p + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :])\n";

struct Function {
  std::string section, name, since, differs;
};
const Function functions[] = {
#include "test/compiler/frontend/LanguagePage.inc"
};

struct Row {
  std::string name, statements, differs;
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

/// "a | b | c" at bars with blanks around.
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
  return {trimmed(parts[0]), trimmed(parts[1]), trimmed(parts[2])};
}

/// Returns the table of statements: its sections in their order, each with its rows.
std::vector<std::pair<std::string, std::vector<Row>>> readTable() {
  std::vector<std::pair<std::string, std::vector<Row>>> sections;
  std::set<std::string> seen;
  std::stringstream table(readFile(folder + "test/compiler/frontend/language-names.txt"));
  std::string line;
  while (std::getline(table, line)) {
    if (line.empty() || line.starts_with("#"))
      continue;
    if (line.starts_with("= ")) {
      sections.push_back({line.substr(2), {}});
      continue;
    }
    const Row row = rowOf(line);
    EXPECT_FALSE(row.statements.empty()) << line;
    EXPECT_TRUE(seen.insert(row.name).second) << row.name << " stands there twice";
    sections.back().second.push_back(row);
  }
  return sections;
}

bool isFunction(const std::string &name) {
  return std::ranges::any_of(functions, [&](const Function &function) { return function.name == name; });
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
    std::string head = "# The language, name by name\n\n"
                       "Made by a test (`test/compiler/frontend/LanguagePageTest.cpp`) of the functions' "
                       "description, in `builtins/*/*.pyi`\n"
                       "and `library/*.py`, and of a table of the test, which holds a few statements for "
                       "all else that has a name.\n"
                       "*Works* compiles; *differs* too, and says how it differs from Triton 3.6. *Refused* "
                       "is what Triton refuses as\n"
                       "well. *Not yet* is what the compiler refuses, in its own words, with the line and a "
                       "caret. *Since* is the version\n"
                       "of Triton that brought the name, where 3.6 has it not: it is known whichever version "
                       "is asked for. What it all\n"
                       "computes the tests in `test/python/language` say.\n\n";
    for (const auto &[state, count] : counts)
      head += "- " + state + ": " + std::to_string(count) + "\n";
    return head + "\n" + text;
  }

private:
  std::string text;
  std::map<std::string, int> counts;
};

/// The functions of a section, as they are described; then what else the table has there.
void addSection(Page &page, const std::string &title, const std::vector<Row> &rows) {
  page.section(title);
  for (const Function &function : functions) {
    if (function.section != title)
      continue;
    EXPECT_TRUE(function.since.empty() || lookupLanguageVersion(function.since)) << function.name;
    page.row(function.name, function.since, function.differs.empty() ? "works" : "differs", function.differs);
  }
  for (const Row &row : rows) {
    const std::string problem = problemOf(row.statements);
    if (isFunction(row.name)) {
      EXPECT_EQ(problem, "") << row.name;
      EXPECT_EQ(row.differs, "") << row.name << ": how a function differs is said where it is described";
    } else if (!problem.empty()) {
      page.row(row.name, "", row.differs.empty() ? "not yet" : "refused",
               row.differs.empty() ? problem : row.differs);
    } else {
      page.row(row.name, "", row.differs.empty() ? "works" : "differs", row.differs);
    }
  }
}

} // namespace

TEST(LanguagePage, SaysWhatWorks) {
  Page page;
  std::set<std::string> titles;
  for (const auto &[title, rows] : readTable()) {
    titles.insert(title);
    addSection(page, title, rows);
  }
  for (const Function &function : functions)
    EXPECT_TRUE(titles.contains(function.section)) << "no section " << function.section;
  const std::string path = folder + "compiler/frontend/LANGUAGE.md";
  if (std::getenv("TEGULA_WRITE_PAGE"))
    std::ofstream(path) << page.whole();
  EXPECT_EQ(readFile(path), page.whole()) << "the page is stale: run this test with TEGULA_WRITE_PAGE=1";
}
