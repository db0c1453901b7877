// Programs: sources of kernels, with what their names mean, and what their compilations had to say.
#include "runtime/api/c/BoundValues.h"
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"

using namespace tegula;
using namespace tegula::c;
using runtime::Result;

/// Errors: InvalidArgument for a folder that is null.
static Result<std::vector<std::string>> foldersOf(const char *const *folders, size_t count) {
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) {
    TRY(require({{folders, "folders"}}));
    TRY(require({{folders[i], "folders[i]"}}));
    list.emplace_back(folders[i]);
  }
  return list;
}

tegula_error *tegula_program_load(const char *path, tegula_program **program) {
  return tegula_program_load_with_imports(path, nullptr, 0, program);
}

tegula_error *tegula_program_load_with_imports(const char *path, const char *const *folders, size_t count,
                                               tegula_program **program) {
  return guarded({{path, "path"}, {program, "program"}}, [&]() -> Result<void> {
    std::vector<std::string> list = TRY(foldersOf(folders, count));
    std::shared_ptr<jit::JitProgram> loaded = TRY(
        jit::JitProgram::load(path, {.searchesOwnFolder = true, .folders = std::move(list), .values = {}}));
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
  return guarded({{name, "name"}, {text, "text"}, {program, "program"}}, [&]() -> Result<void> {
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

//===--- programs of several sources ---------------------------------------------------------===//

struct tegula_builder {
  std::vector<SourceUnit> units;
  std::shared_ptr<OwnedContexts> contexts = std::make_shared<OwnedContexts>();
};

tegula_builder *tegula_builder_create(void) { return new (std::nothrow) tegula_builder; }
void tegula_builder_free(tegula_builder *builder) { delete builder; }

tegula_error *tegula_builder_add_source(tegula_builder *builder, const char *path, const char *text,
                                        size_t bytes, uint32_t first_line, uint32_t *source) {
  return guarded({{builder, "builder"}, {path, "path"}, {text, "text"}, {source, "source"}},
                 [&]() -> Result<void> {
                   SourceUnit unit;
                   unit.path = path;
                   unit.text.assign(text, bytes);
                   unit.firstLine = first_line;
                   builder->units.push_back(std::move(unit));
                   *source = uint32_t(builder->units.size() - 1);
                   return {};
                 });
}

tegula_error *tegula_builder_bind(tegula_builder *builder, uint32_t source, const char *name,
                                  const tegula_value *value) {
  return guarded({{builder, "builder"}, {name, "name"}, {value, "value"}}, [&]() -> Result<void> {
    TRY(requireSource(source, builder->units.size()));
    BoundValue converted = TRY(boundValueOf(*value, name, builder->contexts));
    builder->units[source].names.insert_or_assign(name, std::move(converted));
    return {};
  });
}

tegula_error *tegula_builder_own(tegula_builder *builder, void *context, void (*release)(void *context)) {
  return guarded({{builder, "builder"}, {release, "release"}}, [&]() -> Result<void> {
    builder->contexts->add(context, release);
    return {};
  });
}

tegula_error *tegula_builder_finish(tegula_builder *builder, uint32_t entry, tegula_program **program) {
  return guarded({{builder, "builder"}, {program, "program"}}, [&]() -> Result<void> {
    TRY(requireSource(entry, builder->units.size()));
    *program = new tegula_program{jit::JitProgram::parse(builder->units, entry)};
    return {};
  });
}
