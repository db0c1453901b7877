// `--report`: remarks of the compiler, counters of the emulator; for a person and as JSON.
#pragma once

#include "compiler/driver/CompileResult.h"
#include "compiler/spec/KernelSpec.h"
#include "runtime/device/Device.h"
#include "runtime/emulator/EmulatorReport.h"
#include "tools/tegula/output/Json.h"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// "kernel.py:7:3: passed: vectorize: 4 elements of 4 bytes in one access", one line each.
std::string formatRemarks(const std::vector<Remark> &remarks);

/// Reports a compilation: its spec, its messages and its result. `spec` is null where it resumed from a
/// stage's text, `code` where nothing was assembled.
Json compileReport(const KernelSpec *spec, const CompileResult &result,
                   const runtime::MachineCode *code = nullptr);

/// Formats the assembler's report of each entry.
std::string formatAssembly(const runtime::MachineCode &code);

/// A row for each source line that did anything, with its text: instructions, global sectors against
/// the least possible, shared-memory bank conflicts; then the sum. `source` is the text of `file`;
/// lines of other files are shown by name.
std::string formatCounters(const runtime::EmulatorReport &report, std::string_view file,
                           std::string_view source);

/// The same counters, each by its name, with what else was counted.
Json countersReport(const runtime::EmulatorReport &report);

/// Formats the resources of a kernel as a GPU's driver reports them.
std::string formatResources(const std::string &device, const runtime::LoadedKernel &kernel);
Json resourcesReport(const std::string &device, const runtime::LoadedKernel &kernel);

/// Returns true if `--report` asks for JSON; it is either "json" or the name of a file, which ends in
/// ".json".
bool asksForJson(const std::string &report);

/// A diagnostic with its place, notes, help, fixes and the guessed parameters that it rests on: lines and
/// columns count from 1, columns in code points; ends are exclusive.
Json diagnosticJson(const Diagnostic &diagnostic);

/// Returns the status of a command's work. An error is printed, and where `report` asks for JSON it is a
/// report, delivered as that of work that is done: what reads JSON finds JSON.
int statusOf(const runtime::Result<int> &status, const std::string &report, void (*print)(std::string_view));

/// Checks the value of `--report`. Errors: InvalidArgument.
runtime::Result<void> checkReport(const std::string &report);

/// Writes a report to the file that `report` names, or with `print`. Errors: Io.
runtime::Result<void> deliverReport(const std::string &report, const std::string &text,
                                    void (*print)(std::string_view));

} // namespace tegula::cli
