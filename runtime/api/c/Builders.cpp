// Builders: programs of several sources, with what their names mean.
#include "runtime/api/c/BoundValues.h"
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"

using namespace tegula;
using namespace tegula::c;
using runtime::Result;

struct tegula_builder {
  std::vector<SourceUnit> units;
  std::shared_ptr<OwnedContexts> contexts = std::make_shared<OwnedContexts>();
};

tegula_builder *tegula_builder_create(void) { return new (std::nothrow) tegula_builder; }
void tegula_builder_free(tegula_builder *builder) { delete builder; }

tegula_error *tegula_builder_add_source(tegula_builder *builder, const char *path, const char *text,
                                        size_t bytes, uint32_t first_line, uint32_t *source) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{builder, "builder"}, Required{path, "path"}, Required{text, "text"},
                Required{source, "source"}));
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
  return guarded([&]() -> Result<void> {
    TRY(require(Required{builder, "builder"}, Required{name, "name"}, Required{value, "value"}));
    TRY(requireSource(source, builder->units.size()));
    BoundValue converted = TRY(boundValueOf(*value, name, builder->contexts));
    builder->units[source].names.insert_or_assign(name, std::move(converted));
    return {};
  });
}

tegula_error *tegula_builder_own(tegula_builder *builder, void *context, void (*release)(void *context)) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{builder, "builder"}, Required{release, "release"}));
    builder->contexts->add(context, release);
    return {};
  });
}

tegula_error *tegula_builder_finish(tegula_builder *builder, uint32_t entry, tegula_program **program) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{builder, "builder"}, Required{program, "program"}));
    TRY(requireSource(entry, builder->units.size()));
    *program = new tegula_program{jit::JitProgram::parse(builder->units, entry)};
    return {};
  });
}
