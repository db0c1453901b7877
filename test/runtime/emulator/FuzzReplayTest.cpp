// The fuzzer's corpus without the fuzzer: every file as it is, and a fixed series of mutations.

#include "test/runtime/emulator/FuzzPtx.h"
#include "test/runtime/emulator/Operands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tegula::runtime::test {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry :
       std::filesystem::directory_iterator(TEGULA_SOURCE_DIR "/test/runtime/emulator/corpus"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto &path : paths) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

TEST(FuzzReplay, CorpusRuns) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 5u);
  for (const std::string &text : texts) {
    // A seed that stopped parsing would leave the fuzzer without a start.
    const Result<ptx::Module> module = ptx::parse(text);
    EXPECT_TRUE(bool(module)) << module.error().text << "\n" << text;
    fuzzOnce(text);
  }
}

TEST(FuzzReplay, InstructionsThatLackOperands) {
  const std::string head =
      ".entry k(.param .u64 p0)\n{\n.reg .b16 %h<8>;\n.reg .b32 %r<16>;\n.reg .b64 %d<16>;\n"
      ".reg .pred %q<8>;\n.param .b64 a;\n.param .b64 b;\n.param .b32 z;\nE:\n";
  for (const std::string &text : corpus()) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      for (size_t comma = line.find_last_of(", "); comma != std::string::npos && comma > 0;
           comma = line.find_last_of(", ", comma - 1))
        fuzzOnce(head + line.substr(0, comma) + ";\n}\n");
  }
}

/// Splices lines of the corpus, swaps tokens and flips bytes.
std::string mutate(const std::vector<std::string> &texts, Operands &random) {
  std::string text = texts[random.next() % texts.size()];
  for (uint64_t edits = 1 + random.next() % 4; edits-- && !text.empty();) {
    const size_t at = random.next() % text.size(),
                 length = std::min<size_t>(random.next() % 12, text.size() - at);
    switch (random.next() % 5) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text[at] = char(random.next());
      break;
    case 2:
      text.insert(at, text, random.next() % text.size(), length);
      break;
    case 3: {
      const std::string &other = texts[random.next() % texts.size()];
      const size_t line = other.find('\n', random.next() % (other.size() + 1)), place = text.find('\n', at);
      if (line != std::string::npos && place != std::string::npos)
        text.insert(place + 1, other.substr(line + 1, other.find('\n', line + 1) - line));
      break;
    }
    default:
      text.replace(at, length, std::to_string(int64_t(random.next() % 70) - 2));
      break;
    }
  }
  return text;
}

TEST(FuzzReplay, MutationsNeverCrash) {
  const std::vector<std::string> texts = corpus();
  Operands random(11);
  for (int i = 0; i < 3000; ++i)
    fuzzOnce(mutate(texts, random));
}

} // namespace
} // namespace tegula::runtime::test
