#include <stdio.h>
#include <tegula/tegula_c.h>

int main(int count, char **words) {
  tegula_program *program = NULL;
  tegula_error *error = tegula_program_load(count > 1 ? words[1] : "", &program);
  if (error) {
    fputs(tegula_error_text(error), stderr);
    tegula_error_free(error);
    return 1;
  }
  printf("%s has %s\n", words[1], tegula_program_kernel_name(program, 0));
  tegula_program_free(program);
  return 0;
}
