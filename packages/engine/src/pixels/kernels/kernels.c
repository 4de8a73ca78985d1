/*
 * Resample, reduce, sample, Gaussian, box mean, guided filter, film finish and PNG filters over planes of floats, and
 * the light of video frames, for WebAssembly SIMD. The modules beside it call them. kernels.wasm is built from this file by
 * `npm run kernels`, with clang and lld 14 (Debian's packages clang-14 and lld-14) and this command; the same compiler
 * gives the same bytes:
 *
 *   clang --target=wasm32 -std=c11 -Wall -Wextra -Werror -O3 -msimd128 -mbulk-memory -matomics -nostdlib
 *     -Wl,--no-entry,--strip-all,--import-memory,--shared-memory,--initial-memory=65536,--max-memory=4294901760
 *     -Wl,-z,stack-size=0 -o kernels.wasm kernels.c
 *
 * Values are added and multiplied in double precision and rounded to floats where they are stored, as JavaScript does
 * it with a Float32Array, and in an order that does not depend on how rows are shared among threads. The compiler makes
 * vectors of two doubles of the inner loops. WebAssembly has no fused multiply-add, so every machine gives the same
 * bits.
 *
 * Each kernel works on the rows, or columns, from..to of its target. Threads run it at the same time in one memory:
 * each brings a workspace of its own, and no kernel may have a local array, because that would lie on a stack that all
 * threads share. wasm-kernels.test.ts checks that there is none.
 */
#include <wasm_simd128.h>

#define KERNEL(name) __attribute__((export_name(#name))) void name
typedef const float *restrict in;
typedef float *restrict out;

static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline int clamp_index(int i, int length) { return max(0, min(length - 1, i)); }

/*
 * Resample across: columns left..right are weighted sums of `taps` values from first[x] on, which may lie up to that
 * many beyond the ends of the row; columns further out repeat the ends. The weights of column left come in turns with
 * those of left + 1, then those of the next two. `workspace` holds the row with `taps` more values at either end.
 */
KERNEL(resample_across)(in source, int width, const int *restrict first, const double *restrict weights, int taps,
                        int left, int right, out target, int target_width, double *restrict workspace, int from,
                        int to) {
  double *values = workspace + taps;
  for (int y = from; y < to; y++) {
    in row = source + y * width;
    out sums = target + y * target_width;
    for (int i = 1; i <= taps; i++) values[-i] = row[0];
    for (int i = 0; i < width; i++) values[i] = row[i];
    for (int i = 0; i < taps; i++) values[width + i] = row[width - 1];
    for (int x = 0; x < left; x++) sums[x] = row[0];
    for (int x = right; x < target_width; x++) sums[x] = row[width - 1];
    const double *weight = weights;
    for (int x = left; x < right; x += 2, weight += 2 * taps) {
      const double *a = values + first[x], *b = x + 1 < right ? values + first[x + 1] : a;
      v128_t sum = wasm_f64x2_splat(0);
      for (int k = 0; k < taps; k++)
        sum = wasm_f64x2_add(sum, wasm_f64x2_mul(wasm_f64x2_make(a[k], b[k]), wasm_v128_load(weight + 2 * k)));
      v128_t rounded = wasm_f32x4_demote_f64x2_zero(sum);
      if (x + 1 < right) wasm_v128_store64_lane(sums + x, rounded, 0);
      else wasm_v128_store32_lane(sums + x, rounded, 0);
    }
  }
}

/* Resample down: each target row is the weighted sum of `taps` rows from first[y] on; beyond the ends these repeat. */
KERNEL(resample_down)(in source, int height, const int *restrict first, in weights, int taps, out target, int width,
                      int from, int to) {
  for (int y = from; y < to; y++) {
    int line = first[y];
    in weight = weights + y * taps;
    out sums = target + y * width;
    if (taps == 4) {
      in r0 = source + clamp_index(line, height) * width, r1 = source + clamp_index(line + 1, height) * width;
      in r2 = source + clamp_index(line + 2, height) * width, r3 = source + clamp_index(line + 3, height) * width;
      double w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3];
      for (int x = 0; x < width; x++) sums[x] = r0[x] * w0 + r1[x] * w1 + r2[x] * w2 + r3[x] * w3;
      continue;
    }
    /* Any number of rows, one after the other. The sum so far is rounded to floats between two of them. */
    for (int x = 0; x < width; x++) sums[x] = 0;
    for (int k = 0; k < taps; k++) {
      in row = source + clamp_index(line + k, height) * width;
      double w = weight[k];
      for (int x = 0; x < width; x++) sums[x] = sums[x] + row[x] * w;
    }
  }
}

/*
 * Means of squares of `factor` pixels; of a square that the plane's edge cuts, of what is left of it. `workspace` holds
 * a row of sums.
 */
KERNEL(reduce)(in source, int width, int height, int factor, out target, double *restrict workspace, int from, int to) {
  int columns = (width + factor - 1) / factor;
  for (int y = from; y < to; y++) {
    int top = y * factor, rows = min(factor, height - top);
    out means = target + y * columns;
    for (int x = 0; x < width; x++) workspace[x] = source[top * width + x];
    for (int k = 1; k < rows; k++) {
      in row = source + (top + k) * width;
      for (int x = 0; x < width; x++) workspace[x] += row[x];
    }
    int whole = width / factor;
    double share = 1.0 / (factor * rows);
    if (factor == 2)
      for (int x = 0; x < whole; x++) means[x] = (workspace[2 * x] + workspace[2 * x + 1]) * share;
    else
      for (int x = 0; x < whole; x++) {
        double sum = 0;
        for (int k = 0; k < factor; k++) sum += workspace[x * factor + k];
        means[x] = sum * share;
      }
    if (whole == columns) continue;
    double sum = 0;
    for (int x = whole * factor; x < width; x++) sum += workspace[x];
    means[whole] = sum / (rows * (width - whole * factor));
  }
}

static inline double clamp_to(double value, double last) { return value < 0 ? 0 : value > last ? last : value; }

static inline double mix(double a, double b, double share) { return a + (b - a) * share; }

/* Where a sample lies: the pixel before it and how far it is on the way to the next one; −1 outside. */
typedef struct {
  int at;
  float on;
} place;

/* A pixel is a square around its middle: the outermost half of it still belongs to the source. */
static inline place place_of(double where, int length, int has_outside) {
  if (has_outside && (where < -0.5 || where > length - 0.5)) return (place){-1, 0};
  double inside = clamp_to(where, length - 1.001);
  int at = (int)inside;
  return (place){at, inside - at};
}

static inline double read_between(in upper, in lower, place column, double down) {
  int x = column.at;
  return mix(mix(upper[x], upper[x + 1], column.on), mix(lower[x], lower[x + 1], column.on), down);
}

/*
 * Target pixel u, v is read at a·u − b·v + x0, b·u + a·v + y0 of every plane: the mean of `grid` · `grid` samples. Those
 * beyond the borders repeat them, or are `outside`. `workspace` holds the columns of a row's samples, which are the same
 * for all rows where nothing is turned, and then their lines.
 */
KERNEL(sample)(float *const *sources, int planes, int width, int height, double a, double b, double x0, double y0,
               int grid, int has_outside, double outside, float *const *targets, int target_width,
               place *restrict workspace, int from, int to) {
  double share = 1.0 / (grid * grid), step = 1.0 / grid;
  int samples = grid * target_width;
  place *columns = workspace, *lines = workspace + samples;
  if (b == 0)
    for (int n = 0; n < samples; n++)
      columns[n] = place_of(a * ((n + 0.5) * step - 0.5) + x0, width, has_outside);
  for (int v = from; v < to; v++) {
    for (int p = 0; p < planes; p++)
      for (int u = 0; u < target_width; u++) targets[p][v * target_width + u] = 0;
    for (int j = 0; j < grid; j++) {
      double dv = v + (j + 0.5) * step - 0.5;
      place line = place_of(a * dv + y0, height, has_outside);
      for (int n = 0; n < samples; n++) {
        if (b != 0) {
          double du = (n + 0.5) * step - 0.5;
          columns[n] = place_of(a * du - b * dv + x0, width, has_outside);
          line = place_of(b * du + a * dv + y0, height, has_outside);
        }
        lines[n] = line;
      }
      for (int p = 0; p < planes; p++) {
        in source = sources[p];
        out row = targets[p] + v * target_width;
        for (int u = 0, n = 0; u < target_width; u++) {
          double sum = 0;
          for (int k = 0; k < grid; k++, n++) {
            in upper = source + max(0, lines[n].at) * width;
            int is_outside = columns[n].at < 0 || lines[n].at < 0;
            sum += is_outside ? outside : read_between(upper, upper + width, columns[n], lines[n].on);
          }
          row[u] += sum * share;
        }
      }
    }
  }
}

static inline double clamp01(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/* Adds a plane, clamped to 0..1, to a part of another that begins at `target`, `stride` values a row. */
KERNEL(add_weighted)(in source, int width, in across, in down, double weight, out target, int stride, int from,
                     int to) {
  for (int y = from; y < to; y++) {
    in values = source + y * width;
    out sums = target + y * stride;
    double row = weight * down[y];
    for (int x = 0; x < width; x++) sums[x] += row * across[x] * clamp01(values[x]);
  }
}

/*
 * The softmax of an answer, `count` numbers for each pixel, times `gain`, added to as many planes with a weight.
 * `powers` holds e to the power of −i / steps for i from 0 to last + 1.
 */
KERNEL(add_softmax)(in answer, int width, int count, double gain, double weight, in powers, double steps, int last,
                    float *const *targets, int from, int to) {
  for (int i = from * width; i < to * width; i++) {
    in values = answer + i * count;
    double most = values[0], sum = 0;
    for (int k = 1; k < count; k++) most = values[k] > most ? values[k] : most;
    /* Once for their sum and once for the shares: a local array is not to be had. */
    for (int round = 0; round < 2; round++) {
      double total = round ? weight / sum : 0;
      for (int k = 0; k < count; k++) {
        double at = clamp_to(gain * (most - values[k]) * steps, last);
        int low = (int)at;
        double power = mix(powers[low], powers[low + 1], at - low);
        if (round) targets[k][i] += total * power;
        else sum += power;
      }
    }
  }
}

/* Gaussian: the weights are those of the middle and of one side. `starts` says where the 2·reach + 1 taps begin. */

static inline void add_taps(in source, const int *restrict starts, in weights, int reach, out target, int width) {
  for (int x = 0; x < width; x++) {
    double sum = (double)source[starts[reach] + x] * weights[0];
    for (int k = 1; k <= reach; k++)
      sum += ((double)source[starts[reach - k] + x] + source[starts[reach + k] + x]) * weights[k];
    target[x] = sum;
  }
}

/* The two reaches that there are, so that the loop over taps is unrolled. */
static void add_taps_of_row(in source, const int *starts, in weights, int reach, out target, int width) {
  if (reach == 3) add_taps(source, starts, weights, 3, target, width);
  else add_taps(source, starts, weights, 6, target, width);
}

/* `workspace` holds 16 starts, then the row with `reach` more values at either end. */
KERNEL(gaussian_across)(in source, int width, in weights, int reach, out target, int *restrict workspace, int from,
                        int to) {
  out padded = (float *)(workspace + 16);
  for (int k = 0; k <= 2 * reach; k++) workspace[k] = k;
  for (int y = from; y < to; y++) {
    in row = source + y * width;
    for (int i = 0; i < reach; i++) padded[i] = row[0];
    __builtin_memcpy(padded + reach, row, width * sizeof(float));
    for (int i = 0; i < reach; i++) padded[reach + width + i] = row[width - 1];
    add_taps_of_row(padded, workspace, weights, reach, target + y * width, width);
  }
}

/* `workspace` holds 16 starts. */
KERNEL(gaussian_down)(in source, int width, int height, in weights, int reach, out target, int *restrict workspace,
                      int from, int to) {
  for (int y = from; y < to; y++) {
    for (int k = 0; k <= 2 * reach; k++) workspace[k] = clamp_index(y + k - reach, height) * width;
    add_taps_of_row(source, workspace, weights, reach, target + y * width, width);
  }
}

/* Box means by running sums, one or three in succession: `passes` is 1 or 3, and a single one has the radius r0. */

static void mean_across(in row, out means, int width, int radius) {
  /* Columns whose whole window lies inside the row; those beside them divide by what is left of it. */
  int inner = min(width, radius + 1), outer = max(inner, width - radius);
  double whole = 1.0 / (2 * radius + 1), sum = 0;
  for (int x = 0; x < min(radius, width); x++) sum += row[x];
  for (int x = 0; x < inner; x++) {
    if (x + radius < width) sum += row[x + radius];
    means[x] = sum / (min(width - 1, x + radius) + 1);
  }
  for (int x = inner; x < outer; x++) {
    sum += (double)row[x + radius] - row[x - radius - 1];
    means[x] = sum * whole;
  }
  for (int x = outer; x < width; x++) {
    sum -= row[x - radius - 1];
    means[x] = sum / (width - x + radius);
  }
}

/* `workspace` holds two rows. */
KERNEL(box_means_across)(in source, int width, int passes, int r0, int r1, int r2, out target, out workspace, int from,
                         int to) {
  out first = workspace, second = workspace + width;
  for (int y = from; y < to; y++) {
    in row = source + y * width;
    out means = target + y * width;
    if (passes == 1) {
      mean_across(row, means, width, r0);
      continue;
    }
    mean_across(row, first, width, r0);
    mean_across(first, second, width, r1);
    mean_across(second, means, width, r2);
  }
}

/* Columns that go down together: what lies between two means of them stays in the cache. */
#define STRIP 32

/* Of `columns` columns; rows of the source and of the means are `stride` and `means_stride` values apart. */
static void mean_down(in source, int stride, out means, int means_stride, int columns, int height, int radius,
                      double *restrict sums) {
  for (int x = 0; x < columns; x++) sums[x] = 0;
  for (int y = 0; y < min(radius, height); y++)
    for (int x = 0; x < columns; x++) sums[x] += source[y * stride + x];
  for (int y = 0; y < height; y++) {
    int enters = y + radius < height, leaves = y - radius - 1 >= 0;
    double share = 1.0 / (min(height - 1, y + radius) - max(0, y - radius) + 1);
    in below = source + (y + radius) * stride, above = source + (y - radius - 1) * stride;
    out row = means + y * means_stride;
    if (enters && leaves) {
      for (int x = 0; x < columns; x++) row[x] = (sums[x] = sums[x] + below[x] - above[x]) * share;
      continue;
    }
    if (enters)
      for (int x = 0; x < columns; x++) sums[x] += below[x];
    if (leaves)
      for (int x = 0; x < columns; x++) sums[x] -= above[x];
    for (int x = 0; x < columns; x++) row[x] = sums[x] * share;
  }
}

/* `workspace` holds STRIP sums, then two strips. */
KERNEL(box_means_down)(in source, int width, int height, int passes, int r0, int r1, int r2, out target,
                       double *restrict workspace, int from, int to) {
  out first = (float *)(workspace + STRIP), second = first + STRIP * height;
  for (int left = from; left < to; left += STRIP) {
    int columns = min(STRIP, to - left);
    in strip = source + left;
    out means = target + left;
    if (passes == 1) {
      mean_down(strip, width, means, width, columns, height, r0, workspace);
      continue;
    }
    mean_down(strip, width, first, STRIP, columns, height, r0, workspace);
    mean_down(first, STRIP, second, STRIP, columns, height, r1, workspace);
    mean_down(second, STRIP, means, width, columns, height, r2, workspace);
  }
}

/* Guided filter. A table of planes holds their addresses. */

typedef const float *const *planes;

KERNEL(multiply)(in a, in b, out product, int width, int from, int to) {
  for (int i = from * width; i < to * width; i++) product[i] = a[i] * b[i];
}

/*
 * `means` are of red, green, blue and the plane; `products` are means of each colour times the plane, then of rr, rg,
 * rb, gg, gb and bb. The slopes of the three colours solve the system of their covariance matrix, by its inverse.
 */
KERNEL(fit_colour)(planes means, planes products, double epsilon, float *const *fit, int width, int from, int to) {
  in red = means[0], green = means[1], blue = means[2], plane = means[3];
  in rp = products[0], gp = products[1], bp = products[2], rr = products[3], rg = products[4];
  in rb = products[5], gg = products[6], gb = products[7], bb = products[8];
  out of_red = fit[0], of_green = fit[1], of_blue = fit[2], offset = fit[3];
  for (int i = from * width; i < to * width; i++) {
    double mr = red[i], mg = green[i], mb = blue[i], mp = plane[i];
    double a = rr[i] - mr * mr + epsilon, b = rg[i] - mr * mg, c = rb[i] - mr * mb;
    double d = gg[i] - mg * mg + epsilon, e = gb[i] - mg * mb, f = bb[i] - mb * mb + epsilon;
    double u = rp[i] - mr * mp, v = gp[i] - mg * mp, z = bp[i] - mb * mp;
    double c00 = d * f - e * e, c01 = c * e - b * f, c02 = b * e - c * d;
    double c11 = a * f - c * c, c12 = b * c - a * e, c22 = a * d - b * b;
    double inverse = 1 / (a * c00 + b * c01 + c * c02);
    double x = (c00 * u + c01 * v + c02 * z) * inverse;
    double y = (c01 * u + c11 * v + c12 * z) * inverse;
    double q = (c02 * u + c12 * v + c22 * z) * inverse;
    of_red[i] = x;
    of_green[i] = y;
    of_blue[i] = q;
    offset[i] = mp - x * mr - y * mg - q * mb;
  }
}

/* `square` and `product` are means of the guide times itself and times the plane. */
KERNEL(fit_grey)(in guide, in square, in plane, in product, double epsilon, out slope, out offset, int width, int from,
                 int to) {
  for (int i = from * width; i < to * width; i++) {
    double m = guide[i], level = plane[i], variance = square[i] - m * m;
    double a = (product[i] - m * level) / ((variance > 0 ? variance : 0) + epsilon);
    slope[i] = a;
    offset[i] = level - a * m;
  }
}

/* A row of a plane of half the size, as enlargeRow in reduce.ts reads it. `between` has room for a row of the half. */
static void read_doubled(in half, int half_width, int half_height, int y, out between, out row, int width) {
  double at = (y + 0.5) / 2 - 0.5;
  at = at < 0 ? 0 : at > half_height - 1 ? half_height - 1 : at;
  int line = max(0, min(half_height - 2, (int)at));
  double down = at - line;
  in upper = half + line * half_width, lower = half_height > 1 ? upper + half_width : upper;
  for (int x = 0; x < half_width; x++) between[x] = upper[x] + ((double)lower[x] - upper[x]) * down;
  row[0] = between[0];
  for (int x = 1; 2 * x < width; x++) {
    row[2 * x - 1] = between[x - 1] * 0.75 + between[x] * 0.25;
    row[2 * x] = between[x - 1] * 0.25 + between[x] * 0.75;
  }
  if (width % 2 == 0) row[width - 1] = between[half_width - 1];
}

static void apply_row(in slope, in offset, in guide, out result, int width) {
  for (int x = 0; x < width; x++) result[x] = clamp01((double)slope[x] * guide[x] + offset[x]);
}

/* Slopes of red, green and blue, then the offset, `width` values each. */
static void apply_colour_row(in fit, in red, in green, in blue, out result, int width) {
  in a = fit, b = a + width, c = b + width, offset = c + width;
  for (int x = 0; x < width; x++)
    result[x] = clamp01((double)a[x] * red[x] + (double)b[x] * green[x] + (double)c[x] * blue[x] + offset[x]);
}

/*
 * The fit, of half the size, applied to one guide or to three; after the slope of each follows the offset. `workspace`
 * holds a row of the fit's size and a row of the target's for each of them.
 */
KERNEL(apply_fit)(planes guides, int count, planes fit, int fit_width, int fit_height, out target, int width,
                  out workspace, int from, int to) {
  float *rows = workspace + fit_width;
  for (int y = from; y < to; y++) {
    int at = y * width;
    for (int k = 0; k <= count; k++)
      read_doubled(fit[k], fit_width, fit_height, y, workspace, rows + k * width, width);
    if (count == 1) apply_row(rows, rows + width, guides[0] + at, target + at, width);
    else apply_colour_row(rows, guides[0] + at, guides[1] + at, guides[2] + at, target + at, width);
  }
}

/* Film finish. */

/* A linear congruential generator (Numerical Recipes): any cheap one does for picking from a table. */
#define MULTIPLIER 1664525u
#define INCREMENT 1013904223u

/* Its state after so many steps: a step is linear, so that pairs of them combine into one. */
static unsigned state_after(unsigned state, unsigned steps) {
  unsigned by = MULTIPLIER, plus = INCREMENT;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) state = state * by + plus;
    plus = by * plus + plus;
    by *= by;
  }
  return state;
}

/* A value from linear light to display by the curve over its square root, with its grain: most in the middle tones. */
static inline float to_display(double linear, double noise, in curve, int steps) {
  double at = __builtin_sqrt(clamp01(linear)) * steps;
  int low = (int)at;
  double shown = curve[low] + ((double)curve[low + 1] - curve[low]) * (at - low);
  return clamp01(shown + noise * (1 - __builtin_fabs(shown - 0.5)));
}

/*
 * `colour` is linear light, `grain` a table of 65536 values. `edges` has the vignette's share of each column; that of
 * each row is 0.9 (y / height - 0.48)².
 */
KERNEL(finish)(planes colour, in people, int width, int height, in edges, double vignette, double saturation, in curve,
               int steps, in grain, double grain_on_plate, double grain_on_people, unsigned seed, float *const *picture,
               int from, int to) {
  in red = colour[0], green = colour[1], blue = colour[2];
  out to_red = picture[0], to_green = picture[1], to_blue = picture[2];
  unsigned state = state_after(seed, (unsigned)from * width);
  for (int y = from, i = from * width; y < to; y++) {
    double off = (double)y / height - 0.48, down = 0.9 * off * off;
    for (int x = 0; x < width; x++, i++) {
      double edge = edges[x] + down, shade = edge > 0 ? 1 - vignette * edge : 1;
      double level = 0.2126 * red[i] + 0.7152 * green[i] + 0.0722 * blue[i];
      state = state * MULTIPLIER + INCREMENT;
      double noise = grain[state >> 16] * (grain_on_plate + people[i] * (grain_on_people - grain_on_plate));
      to_red[i] = to_display((level + (red[i] - level) * saturation) * shade, noise, curve, steps);
      to_green[i] = to_display((level + (green[i] - level) * saturation) * shade, noise, curve, steps);
      to_blue[i] = to_display((level + (blue[i] - level) * saturation) * shade, noise, curve, steps);
    }
  }
}

/* The light of video frames. */

typedef unsigned char byte;

/* Luma in limited range times the gain of its line, in 1/4096. Row y begins at the line nearest to slant · y. */
KERNEL(light)(byte *restrict luma, const int *restrict gain, int width, double slant, int from, int to) {
  for (int y = from; y < to; y++) {
    byte *restrict row = luma + y * width;
    const int *restrict lines = gain + (int)(slant * y + 0.5);
    for (int x = 0; x < width; x++) row[x] = (byte)max(0, min(235, 16 + (((row[x] - 16) * lines[x] + 2048) >> 12)));
  }
}

/* PNG filters. */

/* A row of display values as interleaved bytes, rounded to even as a Uint8ClampedArray does it. */
static void bytes_of_row(planes picture, int y, byte *restrict row, int width) {
  in red = picture[0] + y * width, green = picture[1] + y * width, blue = picture[2] + y * width;
  for (int x = 0; x < width; x++) {
    row[3 * x] = (byte)__builtin_rint(clamp01(red[x]) * 255);
    row[3 * x + 1] = (byte)__builtin_rint(clamp01(green[x]) * 255);
    row[3 * x + 2] = (byte)__builtin_rint(clamp01(blue[x]) * 255);
  }
}

static inline int distance(int a, int b) { return a < b ? b - a : a - b; }

static inline byte paeth(int left, int above, int corner) {
  int of_left = distance(above, corner), of_above = distance(left, corner);
  int of_corner = left + above - 2 * corner;
  of_corner = of_corner < 0 ? -of_corner : of_corner;
  return of_left <= of_above && of_left <= of_corner ? left : of_above <= of_corner ? above : corner;
}

static inline byte predict(int filter, byte left, byte above, byte corner) {
  if (filter == 1) return left;
  if (filter == 2) return above;
  if (filter == 3) return (left + above) >> 1;
  return filter == 4 ? paeth(left, above, corner) : 0;
}

/* Three bytes before `row` and `above` are 0: there is no pixel to the left of the first one. */
static inline void filter_row(int filter, const byte *restrict row, const byte *restrict above, byte *restrict filtered,
                              int length) {
  for (int i = 0; i < length; i++) filtered[i] = row[i] - predict(filter, row[i - 3], above[i], above[i - 3]);
}

/* How far the bytes are from 0, as signed ones. */
static int size_of(const byte *restrict filtered, int length) {
  int sum = 0;
  for (int i = 0; i < length; i++) sum += filtered[i] < 128 ? filtered[i] : 256 - filtered[i];
  return sum;
}

/* As libpng's: the filter whose bytes are nearest to 0. */
static int best_filter(const byte *row, const byte *above, byte *candidate, byte *best, int length) {
  int chosen = 0, least = size_of(row, length);
  __builtin_memcpy(best, row, length);
#define TRY(filter)                                      \
  filter_row(filter, row, above, candidate, length);     \
  if (size_of(candidate, length) < least) {              \
    chosen = filter;                                     \
    least = size_of(candidate, length);                  \
    __builtin_memcpy(best, candidate, length);           \
  }
  TRY(1) TRY(2) TRY(3) TRY(4)
#undef TRY
  return chosen;
}

/*
 * The rows of a PNG of 8 bits per channel: each its filter, then 3 · width filtered bytes. `sums` gets for each row its
 * Adler-32. `workspace` holds three rows, two of them with four bytes before.
 */
KERNEL(png_rows)(planes picture, byte *restrict target, int *restrict sums, int width, byte *restrict workspace,
                 int from, int to) {
  int length = 3 * width;
  byte *row = workspace + 4, *above = row + length + 4, *candidate = above + length;
  __builtin_memset(workspace, 0, 2 * length + 8);
  if (from > 0) bytes_of_row(picture, from - 1, row, width);
  for (int y = from; y < to; y++) {
    byte *swapped = above, *line = target + (long)y * (length + 1);
    above = row;
    row = swapped;
    bytes_of_row(picture, y, row, width);
    line[0] = best_filter(row, above, candidate, line + 1, length);
    /* Over 5552 bytes both sums stay below 2³². */
    unsigned a = 1, b = 0;
    for (int i = 0; i <= length;) {
      int end = min(length + 1, i + 5552);
      for (; i < end; i++) b += a += line[i];
      a %= 65521;
      b %= 65521;
    }
    sums[y] = (int)(b << 16 | a);
  }
}
