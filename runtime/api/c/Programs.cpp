// Programs: sources of kernels, and what their compilations had to say.
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"

using namespace tegula;
using namespace tegula::c;
using runtime::Result;

/// Errors: InvalidArgument for a folder that is null.
static Result<std::vector<std::string>> foldersOf(const char *const *folders, size_t count) {
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) {
    TRY(require(Required{folders, "folders"}));
    TRY(require(Required{folders[i], "folders[i]"}));
    list.emplace_back(folders[i]);
  }
  return list;
}

tegula_error *tegula_program_load(const char *path, tegula_program **program) {
  return tegula_program_load_with_imports(path, nullptr, 0, program);
}

tegula_error *tegula_program_load_with_imports(const char *path, const char *const *folders, size_t count,
                                               tegula_program **program) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{path, "path"}, Required{program, "program"}));
    std::vector<std::string> list = TRY(foldersOf(folders, count));
    std::shared_ptr<jit::JitProgram> loaded =
        TRY(jit::JitProgram::load(path, {.searchesOwnFolder = true, .folders = std::move(list), .values = {}}));
    *program = new tegula_program{std::move(loaded)};
    return {};
  });
}

tegula_error *tegula_program_parse(const char *name, const char *text, size_t bytes,
                                   tegula_program **program) {
  return tegula_program_parse_with_imports(name, text, bytes, nullptr, 0, program);
}

tegula_error *tegula_program_parse_with_imports(const char *name, const char *text, size_t bytes,
                                                const char *const *folders, size_t count,
                                                tegula_program **program) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{name, "name"}, Required{text, "text"}, Required{program, "program"}));
    std::vector<std::string> list = TRY(foldersOf(folders, count));
    *program = new tegula_program{
        jit::JitProgram::parse(name, std::string(text, bytes), {.folders = std::move(list), .values = {}})};
    return {};
  });
}

void tegula_program_free(tegula_program *program) { delete program; }

size_t tegula_program_kernel_count(const tegula_program *program) {
  return program ? program->program->source().kernels().size() : 0;
}

const char *tegula_program_kernel_name(const tegula_program *program, size_t index) {
  if (index >= tegula_program_kernel_count(program))
    return "";
  return program->program->source().kernels()[index].name.c_str();
}

void tegula_program_take_messages(tegula_program *program,
                                  void (*take)(void *context, const tegula_diagnostic *message),
                                  void *context) {
  if (!program || !take)
    return;
  try {
    const DiagnosticList messages(
        std::make_shared<const std::vector<Diagnostic>>(program->program->source().takeMessages()));
    for (const tegula_diagnostic &message : messages.all())
      take(context, &message);
  } catch (const std::bad_alloc &) {
    // Lost messages cannot be reported; they are a courtesy.
  }
}

const tegula_diagnostic *tegula_error_diagnostics(const tegula_error *error, size_t *count) {
  const bool any = error && !error->diagnostics.all().empty();
  if (count)
    *count = any ? error->diagnostics.all().size() : 0;
  return any ? error->diagnostics.all().data() : nullptr;
}
