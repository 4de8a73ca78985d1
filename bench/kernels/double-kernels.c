/*
 * Lab and remap as WebAssembly in double precision: the engine's arithmetic in the engine's order, so the results are
 * the same to the last bit. Only bench/pixels.ts uses them; the kernels where this was worth it are the engine's own,
 * in packages/engine/src/pixels/kernels. double-kernels.wasm is built from this file with Debian clang 14.0.6:
 *
 *   clang --target=wasm32 -O3 -msimd128 -mbulk-memory -nostdlib -Wl,--no-entry,--import-memory,--strip-all \
 *     -o double-kernels.wasm double-kernels.c
 *
 * The compiler makes vectors of two doubles of the loops. Every function works on pixels or rows of cells from..to.
 */

#define EXPORT(name) __attribute__((export_name(#name)))
typedef const float *restrict in;
typedef float *restrict out;

static inline int clamp_index(int i, int length) { return i < 0 ? 0 : i >= length ? length - 1 : i; }
static inline double clamp01(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/* Lab by the engine's tables, which lie one after the other: linear light, cube roots, display values. */

#define STEPS 4096

static inline double linear(in tables, float value) {
  return tables[value <= 0 ? 0 : value >= 1 ? STEPS : (int)(value * (double)STEPS + 0.5)];
}

static inline double lab_curve(in tables, double t) {
  if (t <= 0.008856) return 7.787 * t + 16.0 / 116;
  return tables[STEPS + 1 + (t >= 1 ? STEPS * 2 : (int)(t * STEPS * 2 + 0.5))];
}

static inline double lab_line(double f) { return f > 0.206893 ? f * f * f : (f - 16.0 / 116) / 7.787; }

static inline double display(in tables, double light) {
  if (light <= 0) return 0;
  return light >= 1 ? 1 : tables[3 * STEPS + 2 + (int)(__builtin_sqrt(light) * STEPS + 0.5)];
}

EXPORT(to_lab)
void to_lab(in rgb, out lab, int size, in tables, int from, int to) {
  for (int i = from; i < to; i++) {
    double r = linear(tables, rgb[i]), g = linear(tables, rgb[size + i]), u = linear(tables, rgb[2 * size + i]);
    double x = lab_curve(tables, (0.4124564 * r + 0.3575761 * g + 0.1804375 * u) / 0.95047);
    double y = lab_curve(tables, 0.2126729 * r + 0.7151522 * g + 0.072175 * u);
    double z = lab_curve(tables, (0.0193339 * r + 0.119192 * g + 0.9503041 * u) / 1.08883);
    lab[i] = 116 * y - 16;
    lab[size + i] = 500 * (x - y);
    lab[2 * size + i] = 200 * (y - z);
  }
}

EXPORT(from_lab)
void from_lab(in lab, out rgb, int size, in tables, int from, int to) {
  for (int i = from; i < to; i++) {
    double fy = ((double)lab[i] + 16) / 116;
    double x = lab_line(fy + (double)lab[size + i] / 500) * 0.95047;
    double y = lab_line(fy);
    double z = lab_line(fy - (double)lab[2 * size + i] / 200) * 1.08883;
    rgb[i] = display(tables, 3.2404542 * x - 1.5371385 * y - 0.4985314 * z);
    rgb[size + i] = display(tables, -0.969266 * x + 1.8760108 * y + 0.041556 * z);
    rgb[2 * size + i] = display(tables, 0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
  }
}

/* Catmull-Rom through a map of places, three planes. The weights are floats, as in the engine. */

static inline void catmull_rom(double t, float *weights) {
  weights[0] = t * (-0.5 + t * (1 - 0.5 * t));
  weights[1] = 1 + t * t * (-2.5 + 1.5 * t);
  weights[2] = t * (0.5 + t * (2 - 1.5 * t));
  weights[3] = t * t * (-0.5 + 0.5 * t);
}

EXPORT(remap)
void remap(in source, int width, int height, in map_x, in map_y, out target, int size, int from, int to) {
  float across[4], down[4];
  for (int i = from; i < to; i++) {
    double x = map_x[i] + 0.5 - 0.5, y = map_y[i] + 0.5 - 0.5;
    int left = (int)__builtin_floor(x), top = (int)__builtin_floor(y);
    catmull_rom(x - left, across);
    catmull_rom(y - top, down);
    int c0 = clamp_index(left - 1, width), c1 = clamp_index(left, width);
    int c2 = clamp_index(left + 1, width), c3 = clamp_index(left + 2, width);
    for (int p = 0; p < 3; p++) {
      double sum = 0;
      for (int j = 0; j < 4; j++) {
        in row = source + p * width * height + clamp_index(top - 1 + j, height) * width;
        sum += down[j] * ((double)row[c0] * across[0] + (double)row[c1] * across[1] + (double)row[c2] * across[2] +
                          (double)row[c3] * across[3]);
      }
      target[p * size + i] = clamp01(sum);
    }
  }
}

/*
 * Bilinear through a lattice of places, 8 bits: cell by cell as video/layers/layer-warp.ts does. `x` and `y` are the
 * nodes in 1/65536 of a source pixel, within the source.
 */
EXPORT(remap_bytes)
void remap_bytes(const unsigned char *restrict source, int width, const double *restrict x, const double *restrict y,
                 int columns, int side, unsigned char *restrict target, int target_width, int target_height, int from,
                 int to) {
  double share = 1.0 / side;
  for (int j = from; j < to; j++) {
    int last_row = (j + 1) * side < target_height ? (j + 1) * side : target_height;
    for (int i = 0; i < columns - 1; i++) {
      int n = j * columns + i, m = n + columns;
      int count = (i + 1) * side < target_width ? side : target_width - i * side;
      double left_x = x[n], left_y = y[n], right_x = x[n + 1], right_y = y[n + 1];
      double left_dx = (x[m] - left_x) * share, left_dy = (y[m] - left_y) * share;
      double right_dx = (x[m + 1] - right_x) * share, right_dy = (y[m + 1] - right_y) * share;
      for (int row = j * side; row < last_row; row++) {
        int dx = (right_x - left_x) * share, dy = (right_y - left_y) * share;
        int at_x = left_x, at_y = left_y;
        unsigned char *run = target + row * target_width + i * side;
        for (int k = 0; k < count; k++, at_x += dx, at_y += dy) {
          const unsigned char *at = source + (at_y >> 16) * width + (at_x >> 16);
          int u = (at_x >> 8) & 255, v = (at_y >> 8) & 255;
          int upper = (at[0] << 8) + (at[1] - at[0]) * u;
          int lower = (at[width] << 8) + (at[width + 1] - at[width]) * u;
          run[k] = ((upper << 8) + (lower - upper) * v + 32768) >> 16;
        }
        left_x += left_dx;
        left_y += left_dy;
        right_x += right_dx;
        right_y += right_dy;
      }
    }
  }
}
