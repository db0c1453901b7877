#include "runtime/bundle/BundledKernel.h"

#include "dialect/image/KernelImageText.h"
#include "dialect/tile/LoopSharing.h"
#include "runtime/cache/Entry.h"
#include "runtime/cache/TextReader.h"

#include <fmt/format.h>

namespace tegula::bundle {

/// Names of sections.
static constexpr const char *ptxSection = "ptx", *codeSection = "code", *parametersSection = "parameters",
                            *constantsSection = "constants", *launchSection = "launch",
                            *specialisationSection = "specialisation", *importsSection = "imports";
/// Words of the section of the launch.
static constexpr std::string_view cooperativeWord = "cooperative", programmaticWord = "programmatic",
                                  withoutMapsWord = "without-maps", ctasWord = "ctas ";

static std::string launchWords(const BundledKernel &kernel) {
  std::string words;
  for (auto [word, isSet] : {std::pair(cooperativeWord, kernel.launch.cooperative),
                             std::pair(programmaticWord, kernel.launch.programmatic),
                             std::pair(withoutMapsWord, kernel.withoutMaps)})
    if (isSet)
      words += fmt::format("{}\n", word);
  if (kernel.launch.clusterBlocks > 1)
    words += fmt::format("{}{}\n", ctasWord, kernel.launch.clusterBlocks);
  return words;
}

std::string encode(std::string_view key, const BundledKernel &kernel) {
  std::string parameters;
  for (const LaunchParameter &parameter : kernel.parameters)
    parameters += fmt::format("{} {}\n", parameter.type, parameter.name);
  std::string specialisation;
  for (const auto &[name, text] : kernel.specialisation)
    specialisation += fmt::format("{} {}\n", name, text);
  cache::Sections sections{{ptxSection, kernel.image.ptx}};
  for (auto &[name, text] :
       {std::pair(codeSection, kernel.image.machineCode), std::pair(parametersSection, std::move(parameters)),
        std::pair(constantsSection, kernel.constants), std::pair(launchSection, launchWords(kernel)),
        std::pair(specialisationSection, std::move(specialisation)),
        std::pair(importsSection, kernel.imports)})
    if (!text.empty())
      sections.emplace(name, text);
  return cache::encode(key, sections);
}

std::optional<BundledKernel> decode(std::string_view key, std::string_view name, std::string_view bytes) {
  std::optional<cache::Entry> entry = cache::decode(bytes);
  if (!entry || entry->key != key || !entry->sections.contains(ptxSection))
    return std::nullopt;
  cache::Sections &sections = entry->sections;
  runtime::Result<KernelImage> image = readKernelImage(std::move(sections[ptxSection]));
  if (!image)
    return std::nullopt;
  BundledKernel kernel{.name = std::string(name), .image = std::move(*image)};
  kernel.image.machineCode = std::move(sections[codeSection]);
  kernel.constants = std::move(sections[constantsSection]);
  kernel.imports = std::move(sections[importsSection]);
  // No streams: their locales would be a third of libtegula-runtime.
  for (cache::TextReader reader{sections[parametersSection]}; !reader.rest.empty();) {
    const std::optional<std::string_view> type = reader.upTo(' '), parameter = reader.upTo('\n');
    if (!type || !parameter)
      return std::nullopt;
    kernel.parameters.push_back({std::string(*parameter), std::string(*type)});
  }
  for (cache::TextReader reader{sections[specialisationSection]}; !reader.rest.empty();) {
    const std::optional<std::string_view> fact = reader.upTo(' '), text = reader.upTo('\n');
    if (!fact || !text)
      return std::nullopt;
    kernel.specialisation.emplace(*fact, *text);
  }
  cache::TextReader words{sections[launchSection]};
  while (const std::optional<std::string_view> word = words.upTo('\n')) {
    kernel.launch.cooperative |= *word == cooperativeWord;
    kernel.launch.programmatic |= *word == programmaticWord;
    kernel.withoutMaps |= *word == withoutMapsWord;
    if (word->starts_with(ctasWord))
      kernel.launch.clusterBlocks = tile::sharingAskedBy(uint32_t(word->back() - '0'));
  }
  return kernel;
}

std::string describe(const BundledKernel &kernel) {
  std::string text;
  for (const LaunchParameter &parameter : kernel.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name, parameter.type);
  if (!kernel.constants.empty())
    text += (text.empty() ? "" : " ") + kernel.constants;
  return text;
}

} // namespace tegula::bundle
