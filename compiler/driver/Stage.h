// The stages of a compilation by their names, and how a text says which it is of.
#pragma once

#include <optional>
#include <string_view>

namespace tegula {

/// A stage whose text can be asked for, in the order of the flow.
enum class Stage { Ast, Tile, Distributed, Scheduled, Llvm, LlvmIr, Ptx };
std::optional<Stage> parseStage(std::string_view name);
std::string_view stageName(Stage stage);
/// The stage that a text is of by its first line, which `compile` writes for those that `resume` and a device
/// take.
std::optional<Stage> stageOfText(std::string_view text);

/// The beginning of the text of a stage of MLIR, before the stage's name.
inline constexpr std::string_view stageMark = "// Tegula stage ";

} // namespace tegula
