/* multiloop's kernels in a timed loop: a kernel takes the addresses of its arrays in one table, a table a state. */
typedef void (*kernel_at)(double **);

double kernel_loop(kernel_at kernel, double ***tables, long count, long outputs, long repeats) {
  double sum = 0;
  for (long r = 0; r < repeats; r++)
    for (long k = 0; k < count; k++) {
      kernel(tables[k]);
      sum += tables[k][outputs][0];
    }
  return sum;
}
