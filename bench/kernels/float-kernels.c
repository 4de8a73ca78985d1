/*
 * The five kernels as WebAssembly SIMD, four floats at a time: the engine's algorithms in single precision. Only
 * bench/pixels.ts uses them. float-kernels.wasm is built from this file with Debian clang 14.0.6:
 *
 *   clang --target=wasm32 -O3 -msimd128 -mbulk-memory -nostdlib -Wl,--no-entry,--import-memory,--strip-all \
 *     -o float-kernels.wasm float-kernels.c
 *
 * Every function works on rows, columns or pixels from..to, so threads could share them.
 */
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))
typedef v128_t vec;
typedef const float *in;
typedef float *out;

static inline int clamp_index(int i, int length) { return i < 0 ? 0 : i >= length ? length - 1 : i; }
static inline vec add(vec a, vec b) { return wasm_f32x4_add(a, b); }
static inline vec sub(vec a, vec b) { return wasm_f32x4_sub(a, b); }
static inline vec mul(vec a, vec b) { return wasm_f32x4_mul(a, b); }
static inline vec splat(float value) { return wasm_f32x4_splat(value); }
static inline vec clamp01(vec a) { return wasm_f32x4_pmin(wasm_f32x4_pmax(a, splat(0)), splat(1)); }

/* The sums of four vectors, as one. */
static inline vec sums(vec a, vec b, vec c, vec d) {
  vec ab = add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
  vec cd = add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
  return add(wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5), wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7));
}

/* A row between `pad` repetitions of its ends. */
static void pad_row(in source, int width, int pad, out padded) {
  for (int i = 0; i < pad; i++) padded[i] = source[0];
  __builtin_memcpy(padded + pad, source, width * sizeof(float));
  for (int i = 0; i < pad; i++) padded[pad + width + i] = source[width - 1];
}

/* Resample. `first` counts from the padded row; `taps` is a multiple of four, filled up with weights of 0. */

EXPORT(resample_across)
void resample_across(in source, int width, const int *restrict first, in restrict weights, int taps, int pad,
                     out padded, out restrict target, int target_width, int from, int to) {
  for (int y = from; y < to; y++) {
    pad_row(source + y * width, width, pad, padded);
    out row = target + y * target_width;
    for (int x = 0; x < target_width; x += 4) {
      vec sum[4];
      for (int j = 0; j < 4; j++) {
        in at = padded + first[x + j];
        in weight = weights + (x + j) * taps;
        sum[j] = mul(wasm_v128_load(at), wasm_v128_load(weight));
        for (int k = 4; k < taps; k += 4)
          sum[j] = add(sum[j], mul(wasm_v128_load(at + k), wasm_v128_load(weight + k)));
      }
      wasm_v128_store(row + x, sums(sum[0], sum[1], sum[2], sum[3]));
    }
  }
}

EXPORT(resample_down)
void resample_down(in restrict rows, int height, const int *restrict first, in restrict weights, int taps,
                   out restrict target, int width, int from, int to) {
  for (int y = from; y < to; y++) {
    in weight = weights + y * taps;
    for (int x = 0; x < width; x += 8) {
      vec a = splat(0), b = splat(0);
      for (int k = 0; k < taps; k++) {
        in at = rows + clamp_index(first[y] + k, height) * width + x;
        vec w = splat(weight[k]);
        a = add(a, mul(wasm_v128_load(at), w));
        b = add(b, mul(wasm_v128_load(at + 4), w));
      }
      wasm_v128_store(target + y * width + x, a);
      wasm_v128_store(target + y * width + x + 4, b);
    }
  }
}

/* Gaussian by its kernel. */

static inline void taps(in restrict source, const int *restrict starts, in restrict weights, int reach,
                        out restrict target, int width) {
  for (int x = 0; x < width; x++) {
    float sum = source[starts[reach] + x] * weights[0];
    for (int k = 1; k <= reach; k++)
      sum += (source[starts[reach - k] + x] + source[starts[reach + k] + x]) * weights[k];
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
    pad_row(source + y * width, width, reach, padded);
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

/* Box means by running sums, which are doubles here too: floats would drift along a row. */

EXPORT(box_across)
void box_across(in restrict source, int width, int r, out restrict target, int from, int to) {
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
void box_down(in restrict source, int width, int height, int r, out restrict target, int from, int to) {
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
          for (int x = 0; x < STRIP; x++) means[x] = (sum[x] += (double)below[x] - above[x]) * share;
        else
          for (int x = 0; x < columns; x++) means[x] = (sum[x] += (double)below[x] - above[x]) * share;
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
void halve(in restrict source, int width, out restrict target, int from, int to) {
  for (int y = from; y < to; y++) {
    in upper = source + 2 * y * width, lower = upper + width;
    out row = target + y * (width / 2);
    for (int x = 0; x < width / 2; x++)
      row[x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) * 0.25f;
  }
}

EXPORT(double_size)
void double_size(in restrict source, int width, int height, out restrict between, out restrict target, int from,
                 int to) {
  for (int y = from; y < to; y++) {
    float at = (y + 0.5f) / 2 - 0.5f;
    at = at < 0 ? 0 : at > height - 1 ? height - 1 : at;
    int line = at > height - 2 ? height - 2 : (int)at;
    float down = at - line;
    in upper = source + line * width, lower = upper + width;
    for (int x = 0; x < width; x++) between[x] = upper[x] + (lower[x] - upper[x]) * down;
    out row = target + 2 * y * width;
    row[0] = between[0];
    for (int x = 0; x < width - 1; x++) {
      row[2 * x + 1] = between[x] * 0.75f + between[x + 1] * 0.25f;
      row[2 * x + 2] = between[x] * 0.25f + between[x + 1] * 0.75f;
    }
    row[2 * width - 1] = between[width - 1];
  }
}

/* Guided filter: planes of `size` values lie one after the other. */

EXPORT(guided_products)
void guided_products(in restrict guide, out restrict products, int size, int from, int to) {
  in red = guide, green = guide + size, blue = guide + 2 * size, p = guide + 3 * size;
  for (int i = from; i < to; i += 4) {
    vec r = wasm_v128_load(red + i), g = wasm_v128_load(green + i), b = wasm_v128_load(blue + i);
    vec target = wasm_v128_load(p + i);
    vec values[9] = {mul(r, target), mul(g, target), mul(b, target), mul(r, r), mul(r, g),
                     mul(r, b),      mul(g, g),      mul(g, b),      mul(b, b)};
    for (int k = 0; k < 9; k++) wasm_v128_store(products + k * size + i, values[k]);
  }
}

EXPORT(guided_solve)
void guided_solve(in restrict means, in restrict products, out restrict coefficients, int size, float epsilon,
                  int from, int to) {
  vec eps = splat(epsilon);
  for (int i = from; i < to; i += 4) {
#define MEAN(k) wasm_v128_load(means + (k)*size + i)
#define PRODUCT(k) wasm_v128_load(products + (k)*size + i)
    vec mr = MEAN(0), mg = MEAN(1), mb = MEAN(2), mp = MEAN(3);
    vec a = add(sub(PRODUCT(3), mul(mr, mr)), eps), b = sub(PRODUCT(4), mul(mr, mg));
    vec c = sub(PRODUCT(5), mul(mr, mb)), d = add(sub(PRODUCT(6), mul(mg, mg)), eps);
    vec e = sub(PRODUCT(7), mul(mg, mb)), f = add(sub(PRODUCT(8), mul(mb, mb)), eps);
    vec u = sub(PRODUCT(0), mul(mr, mp)), v = sub(PRODUCT(1), mul(mg, mp)), z = sub(PRODUCT(2), mul(mb, mp));
    vec c00 = sub(mul(d, f), mul(e, e)), c01 = sub(mul(c, e), mul(b, f)), c02 = sub(mul(b, e), mul(c, d));
    vec c11 = sub(mul(a, f), mul(c, c)), c12 = sub(mul(b, c), mul(a, e)), c22 = sub(mul(a, d), mul(b, b));
    vec inverse = wasm_f32x4_div(splat(1), add(add(mul(a, c00), mul(b, c01)), mul(c, c02)));
    vec x = mul(add(add(mul(c00, u), mul(c01, v)), mul(c02, z)), inverse);
    vec y = mul(add(add(mul(c01, u), mul(c11, v)), mul(c12, z)), inverse);
    vec q = mul(add(add(mul(c02, u), mul(c12, v)), mul(c22, z)), inverse);
    wasm_v128_store(coefficients + i, x);
    wasm_v128_store(coefficients + size + i, y);
    wasm_v128_store(coefficients + 2 * size + i, q);
    wasm_v128_store(coefficients + 3 * size + i, sub(sub(sub(mp, mul(x, mr)), mul(y, mg)), mul(q, mb)));
  }
}

EXPORT(guided_apply)
void guided_apply(in restrict guide, in restrict full, out restrict target, int size, int from, int to) {
  for (int i = from; i < to; i += 4) {
    vec sum = wasm_v128_load(full + 3 * size + i);
    for (int k = 0; k < 3; k++)
      sum = add(sum, mul(wasm_v128_load(full + k * size + i), wasm_v128_load(guide + k * size + i)));
    wasm_v128_store(target + i, clamp01(sum));
  }
}

/* Lab by arithmetic: four table look-ups at a time would be four scalar loads. */

static inline vec either(vec mask, vec yes, vec no) { return wasm_v128_bitselect(yes, no, mask); }

/* An estimate by the exponent's bits, then two steps of Halley's method. */
static inline vec cube_root(vec x) {
  vec third = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(x), splat(1.0f / 3));
  vec y = wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(third), wasm_i32x4_splat(709921077));
  for (int step = 0; step < 2; step++) {
    vec cube = mul(mul(y, y), y);
    y = mul(y, wasm_f32x4_div(add(cube, add(x, x)), add(add(cube, cube), x)));
  }
  return y;
}

/* An estimate by the exponent's bits, then three steps of Newton's method for y⁵ = x. */
static inline vec fifth_root(vec x) {
  vec fifth = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(x), splat(1.0f / 5));
  vec y = wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(fifth), wasm_i32x4_splat(852282573));
  for (int step = 0; step < 3; step++) {
    vec fourth = mul(mul(y, y), mul(y, y));
    y = add(mul(y, splat(0.8f)), wasm_f32x4_div(mul(x, splat(0.2f)), fourth));
  }
  return y;
}

/* x^2.4 = x² · (x^⅕)² */
static inline vec linear(vec value) {
  value = clamp01(value);
  vec x = mul(add(value, splat(0.055f)), splat(1 / 1.055f));
  vec root = fifth_root(x);
  vec curve = mul(mul(x, x), mul(root, root));
  return either(wasm_f32x4_le(value, splat(0.04045f)), mul(value, splat(1 / 12.92f)), curve);
}

/* x^(1/2.4) = x^(5/12) = (x^¼ · x)^⅓ */
static inline vec display(vec light) {
  light = clamp01(light);
  vec fourth = wasm_f32x4_sqrt(wasm_f32x4_sqrt(light));
  vec curve = sub(mul(cube_root(wasm_f32x4_pmax(mul(fourth, light), splat(1e-9f))), splat(1.055f)), splat(0.055f));
  return either(wasm_f32x4_le(light, splat(0.0031308f)), mul(light, splat(12.92f)), curve);
}

static inline vec weighed(vec r, vec g, vec b, float wr, float wg, float wb) {
  return add(add(mul(r, splat(wr)), mul(g, splat(wg))), mul(b, splat(wb)));
}

static inline vec lab_curve(vec t) {
  vec straight = add(mul(t, splat(7.787f)), splat(16.0f / 116));
  return either(wasm_f32x4_le(t, splat(0.008856f)), straight, cube_root(wasm_f32x4_pmax(t, splat(1e-3f))));
}

static inline vec lab_line(vec f) {
  vec straight = mul(sub(f, splat(16.0f / 116)), splat(1 / 7.787f));
  return either(wasm_f32x4_gt(f, splat(0.206893f)), mul(mul(f, f), f), straight);
}

EXPORT(to_lab)
void to_lab(in restrict rgb, out restrict lab, int size, int from, int to) {
  for (int i = from; i < to; i += 4) {
    vec r = linear(wasm_v128_load(rgb + i));
    vec g = linear(wasm_v128_load(rgb + size + i));
    vec b = linear(wasm_v128_load(rgb + 2 * size + i));
    vec x = lab_curve(weighed(r, g, b, 0.4124564f / 0.95047f, 0.3575761f / 0.95047f, 0.1804375f / 0.95047f));
    vec y = lab_curve(weighed(r, g, b, 0.2126729f, 0.7151522f, 0.072175f));
    vec z = lab_curve(weighed(r, g, b, 0.0193339f / 1.08883f, 0.119192f / 1.08883f, 0.9503041f / 1.08883f));
    wasm_v128_store(lab + i, sub(mul(y, splat(116)), splat(16)));
    wasm_v128_store(lab + size + i, mul(sub(x, y), splat(500)));
    wasm_v128_store(lab + 2 * size + i, mul(sub(y, z), splat(200)));
  }
}

EXPORT(from_lab)
void from_lab(in restrict lab, out restrict rgb, int size, int from, int to) {
  for (int i = from; i < to; i += 4) {
    vec fy = mul(add(wasm_v128_load(lab + i), splat(16)), splat(1.0f / 116));
    vec x = mul(lab_line(add(fy, mul(wasm_v128_load(lab + size + i), splat(1.0f / 500)))), splat(0.95047f));
    vec y = lab_line(fy);
    vec z = mul(lab_line(sub(fy, mul(wasm_v128_load(lab + 2 * size + i), splat(1.0f / 200)))), splat(1.08883f));
    wasm_v128_store(rgb + i, display(weighed(x, y, z, 3.2404542f, -1.5371385f, -0.4985314f)));
    wasm_v128_store(rgb + size + i, display(weighed(x, y, z, -0.969266f, 1.8760108f, 0.041556f)));
    wasm_v128_store(rgb + 2 * size + i, display(weighed(x, y, z, 0.0556434f, -0.2040259f, 1.0572252f)));
  }
}

/* Catmull-Rom through a map of places, three planes; one output value is sixteen products, four at a time. */

static inline vec catmull_rom(float t) {
  return wasm_f32x4_make(t * (-0.5f + t * (1 - 0.5f * t)), 1 + t * t * (-2.5f + 1.5f * t),
                         t * (0.5f + t * (2 - 1.5f * t)), t * t * (-0.5f + 0.5f * t));
}

EXPORT(remap)
void remap(in restrict source, int width, int height, in map_x, in map_y, out restrict target, int size, int from, int to) {
  for (int i = from; i < to; i++) {
    int left = (int)__builtin_floorf(map_x[i]), top = (int)__builtin_floorf(map_y[i]);
    vec across = catmull_rom(map_x[i] - left), down = catmull_rom(map_y[i] - top);
    vec w0 = mul(across, wasm_i32x4_shuffle(down, down, 0, 0, 0, 0));
    vec w1 = mul(across, wasm_i32x4_shuffle(down, down, 1, 1, 1, 1));
    vec w2 = mul(across, wasm_i32x4_shuffle(down, down, 2, 2, 2, 2));
    vec w3 = mul(across, wasm_i32x4_shuffle(down, down, 3, 3, 3, 3));
    int inside = left >= 1 && top >= 1 && left + 2 < width && top + 2 < height;
    vec sum[3];
    for (int p = 0; p < 3; p++) {
      in plane = source + p * width * height;
      if (inside) {
        in at = plane + (top - 1) * width + left - 1;
        sum[p] = add(add(mul(wasm_v128_load(at), w0), mul(wasm_v128_load(at + width), w1)),
                     add(mul(wasm_v128_load(at + 2 * width), w2), mul(wasm_v128_load(at + 3 * width), w3)));
      } else {
        vec w[4] = {w0, w1, w2, w3};
        sum[p] = splat(0);
        for (int j = 0; j < 4; j++) {
          in row = plane + clamp_index(top - 1 + j, height) * width;
          vec values = wasm_f32x4_make(row[clamp_index(left - 1, width)], row[clamp_index(left, width)],
                                       row[clamp_index(left + 1, width)], row[clamp_index(left + 2, width)]);
          sum[p] = add(sum[p], mul(values, w[j]));
        }
      }
    }
    vec all = clamp01(sums(sum[0], sum[1], sum[2], sum[2]));
    target[i] = wasm_f32x4_extract_lane(all, 0);
    target[size + i] = wasm_f32x4_extract_lane(all, 1);
    target[2 * size + i] = wasm_f32x4_extract_lane(all, 2);
  }
}
