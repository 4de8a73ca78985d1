/*
 * The five kernels as WebAssembly SIMD in double precision: the engine's arithmetic in the engine's order, so the
 * results are the same to the last bit. Only bench/pixels.ts uses them. double-kernels.wasm is built from this file
 * with Debian clang 14.0.6:
 *
 *   clang --target=wasm32 -O3 -msimd128 -mbulk-memory -nostdlib -Wl,--no-entry,--import-memory,--strip-all \
 *     -o double-kernels.wasm double-kernels.c
 *
 * The compiler makes vectors of two doubles of the loops. Every function works on rows, columns or pixels from..to.
 */
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))
typedef const float *restrict in;
typedef float *restrict out;

static inline int clamp_index(int i, int length) { return i < 0 ? 0 : i >= length ? length - 1 : i; }
static inline double clamp01(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/* Resample. `first` counts from the padded row, which is of doubles; weights come in pairs, of columns x and x+1. */

EXPORT(resample_across)
void resample_across(in source, int width, const int *restrict first, const double *restrict weights, int taps,
                     int pad, double *restrict padded, out target, int target_width, int from, int to) {
  for (int y = from; y < to; y++) {
    in row = source + y * width;
    for (int i = 0; i < pad; i++) padded[i] = row[0];
    for (int i = 0; i < width; i++) padded[pad + i] = row[i];
    for (int i = 0; i < pad; i++) padded[pad + width + i] = row[width - 1];
    for (int x = 0; x < target_width; x += 2) {
      const double *a = padded + first[x], *b = padded + first[x + 1];
      const double *weight = weights + x * taps;
      v128_t sum = wasm_f64x2_splat(0);
      for (int k = 0; k < taps; k++)
        sum = wasm_f64x2_add(sum, wasm_f64x2_mul(wasm_f64x2_make(a[k], b[k]), wasm_v128_load(weight + 2 * k)));
      wasm_v128_store64_lane(target + y * target_width + x, wasm_f32x4_demote_f64x2_zero(sum), 0);
    }
  }
}

EXPORT(resample_down)
void resample_down(in rows, int height, const int *restrict first, in weights, int taps, out target, int width,
                   int from, int to) {
  for (int y = from; y < to; y++) {
    in weight = weights + y * taps;
    out row = target + y * width;
    if (taps == 4) {
      in r0 = rows + clamp_index(first[y], height) * width, r1 = rows + clamp_index(first[y] + 1, height) * width;
      in r2 = rows + clamp_index(first[y] + 2, height) * width, r3 = rows + clamp_index(first[y] + 3, height) * width;
      double w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3];
      for (int x = 0; x < width; x++) row[x] = r0[x] * w0 + r1[x] * w1 + r2[x] * w2 + r3[x] * w3;
      continue;
    }
    /* The engine adds one row after the other to floats. */
    for (int x = 0; x < width; x++) row[x] = 0;
    for (int k = 0; k < taps; k++) {
      in line = rows + clamp_index(first[y] + k, height) * width;
      double w = weight[k];
      for (int x = 0; x < width; x++) row[x] = row[x] + line[x] * w;
    }
  }
}

/* Gaussian by its kernel. */

static inline void taps(in source, const int *restrict starts, in weights, int reach, out target, int width) {
  for (int x = 0; x < width; x++) {
    double sum = (double)source[starts[reach] + x] * weights[0];
    for (int k = 1; k <= reach; k++)
      sum += ((double)source[starts[reach - k] + x] + source[starts[reach + k] + x]) * weights[k];
    target[x] = sum;
  }
}

/* Two lengths, so that the loop over taps is unrolled. */
static void taps_row(in source, const int *starts, in weights, int reach, out target, int width) {
  if (reach == 3) taps(source, starts, weights, 3, target, width);
  else taps(source, starts, weights, 6, target, width);
}

EXPORT(gaussian_across)
void gaussian_across(in source, int width, in weights, int reach, out padded, out target, int from, int to) {
  int starts[13];
  for (int k = 0; k <= 2 * reach; k++) starts[k] = k;
  for (int y = from; y < to; y++) {
    in row = source + y * width;
    for (int i = 0; i < reach; i++) padded[i] = row[0];
    __builtin_memcpy(padded + reach, row, width * sizeof(float));
    for (int i = 0; i < reach; i++) padded[reach + width + i] = row[width - 1];
    taps_row(padded, starts, weights, reach, target + y * width, width);
  }
}

EXPORT(gaussian_down)
void gaussian_down(in rows, int width, int height, in weights, int reach, out target, int from, int to) {
  int starts[13];
  for (int y = from; y < to; y++) {
    for (int k = 0; k <= 2 * reach; k++) starts[k] = clamp_index(y + k - reach, height) * width;
    taps_row(rows, starts, weights, reach, target + y * width, width);
  }
}

/* Box means by running sums. */

EXPORT(box_across)
void box_across(in source, int width, int r, out target, int from, int to) {
  for (int y = from; y < to; y++) {
    in row = source + y * width;
    out means = target + y * width;
    double sum = 0;
    for (int x = 0; x < r; x++) sum += row[x];
    for (int x = 0; x <= r; x++) {
      sum += row[x + r];
      means[x] = sum / (x + r + 1);
    }
    double share = 1.0 / (2 * r + 1);
    for (int x = r + 1; x < width - r; x++) {
      sum += (double)row[x + r] - row[x - r - 1];
      means[x] = sum * share;
    }
    for (int x = width - r; x < width; x++) {
      sum -= row[x - r - 1];
      means[x] = sum / (width - x + r);
    }
  }
}

#define STRIP 32

/* Down the columns from..to, STRIP of them at a time. */
EXPORT(box_down)
void box_down(in source, int width, int height, int r, out target, int from, int to) {
  for (int left = from; left < to; left += STRIP) {
    int columns = to - left < STRIP ? to - left : STRIP;
    double sum[STRIP];
    for (int x = 0; x < STRIP; x++) sum[x] = 0;
    for (int y = 0; y < r; y++)
      for (int x = 0; x < columns; x++) sum[x] += source[y * width + left + x];
    for (int y = 0; y < height; y++) {
      in below = source + (y + r) * width + left;
      in above = source + (y - r - 1) * width + left;
      out means = target + y * width + left;
      int last = y + r < height ? y + r : height - 1, first = y - r > 0 ? y - r : 0;
      double share = 1.0 / (last - first + 1);
      if (y + r < height && y - r - 1 >= 0) {
        if (columns == STRIP)
          for (int x = 0; x < STRIP; x++) means[x] = (sum[x] = sum[x] + below[x] - above[x]) * share;
        else
          for (int x = 0; x < columns; x++) means[x] = (sum[x] = sum[x] + below[x] - above[x]) * share;
        continue;
      }
      if (y + r < height)
        for (int x = 0; x < columns; x++) sum[x] += below[x];
      if (y - r - 1 >= 0)
        for (int x = 0; x < columns; x++) sum[x] -= above[x];
      for (int x = 0; x < columns; x++) means[x] = sum[x] * share;
    }
  }
}

/* Half size and back; the sides are even. */

EXPORT(halve)
void halve(in source, int width, out target, int from, int to) {
  for (int y = from; y < to; y++) {
    in upper = source + 2 * y * width, lower = upper + width;
    out row = target + y * (width / 2);
    for (int x = 0; x < width / 2; x++)
      row[x] = ((double)upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) * 0.25;
  }
}

EXPORT(double_size)
void double_size(in source, int width, int height, out between, out target, int from, int to) {
  for (int y = from; y < to; y++) {
    double at = (y + 0.5) / 2 - 0.5;
    at = at < 0 ? 0 : at > height - 1 ? height - 1 : at;
    int line = at > height - 2 ? height - 2 : (int)at;
    double down = at - line;
    in upper = source + line * width, lower = upper + width;
    for (int x = 0; x < width; x++) between[x] = upper[x] + ((double)lower[x] - upper[x]) * down;
    out row = target + 2 * y * width;
    row[0] = between[0];
    for (int x = 0; x < width - 1; x++) {
      row[2 * x + 1] = between[x] * 0.75 + between[x + 1] * 0.25;
      row[2 * x + 2] = between[x] * 0.25 + between[x + 1] * 0.75;
    }
    row[2 * width - 1] = between[width - 1];
  }
}

/* Guided filter: planes of `size` values lie one after the other. */

EXPORT(guided_products)
void guided_products(in guide, out products, int size, int from, int to) {
  in red = guide, green = guide + size, blue = guide + 2 * size, p = guide + 3 * size;
  for (int i = from; i < to; i++) {
    /* A product of two floats that is rounded to a float is the same in either precision. */
    float r = red[i], g = green[i], b = blue[i], target = p[i];
    products[i] = r * target;
    products[size + i] = g * target;
    products[2 * size + i] = b * target;
    products[3 * size + i] = r * r;
    products[4 * size + i] = r * g;
    products[5 * size + i] = r * b;
    products[6 * size + i] = g * g;
    products[7 * size + i] = g * b;
    products[8 * size + i] = b * b;
  }
}

EXPORT(guided_solve)
void guided_solve(in means, in products, out coefficients, int size, double epsilon, int from, int to) {
  for (int i = from; i < to; i++) {
    double mr = means[i], mg = means[size + i], mb = means[2 * size + i], mp = means[3 * size + i];
    double a = products[3 * size + i] - mr * mr + epsilon, b = products[4 * size + i] - mr * mg;
    double c = products[5 * size + i] - mr * mb, d = products[6 * size + i] - mg * mg + epsilon;
    double e = products[7 * size + i] - mg * mb, f = products[8 * size + i] - mb * mb + epsilon;
    double u = products[i] - mr * mp, v = products[size + i] - mg * mp, z = products[2 * size + i] - mb * mp;
    double c00 = d * f - e * e, c01 = c * e - b * f, c02 = b * e - c * d;
    double c11 = a * f - c * c, c12 = b * c - a * e, c22 = a * d - b * b;
    double inverse = 1 / (a * c00 + b * c01 + c * c02);
    double x = (c00 * u + c01 * v + c02 * z) * inverse;
    double y = (c01 * u + c11 * v + c12 * z) * inverse;
    double q = (c02 * u + c12 * v + c22 * z) * inverse;
    coefficients[i] = x;
    coefficients[size + i] = y;
    coefficients[2 * size + i] = q;
    coefficients[3 * size + i] = mp - x * mr - y * mg - q * mb;
  }
}

EXPORT(guided_apply)
void guided_apply(in guide, in full, out target, int size, int from, int to) {
  for (int i = from; i < to; i++) {
    double sum = (double)full[i] * guide[i] + (double)full[size + i] * guide[size + i] +
                 (double)full[2 * size + i] * guide[2 * size + i] + full[3 * size + i];
    target[i] = clamp01(sum);
  }
}

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
