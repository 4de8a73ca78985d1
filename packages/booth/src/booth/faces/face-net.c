/*
 * The layers of the network that finds faces, for WebAssembly SIMD: face-net.ts calls them. face-net.wasm is built from
 * this file by `npm run kernels`, with clang and lld 14 (Debian's packages clang-14 and lld-14) and this command; the
 * same compiler gives the same bytes:
 *
 *   clang --target=wasm32 -std=c11 -Wall -Wextra -Werror -O3 -msimd128 -nostdlib
 *     -Wl,--no-entry,--strip-all,--import-memory,--initial-memory=65536,--max-memory=67108864
 *     -Wl,-z,stack-size=0 -o face-net.wasm face-net.c
 *
 * Values of a pixel lie side by side, as TensorFlow keeps them, so that a vector holds four channels of one pixel.
 * There is no stack: no layer may have a local array.
 */
#include <wasm_simd128.h>

#define LAYER(name) __attribute__((export_name(#name))) void name
typedef const float *restrict in;
typedef float *restrict out;

static inline v128_t positive(v128_t value) { return wasm_f32x4_pmax(wasm_f32x4_splat(0), value); }
static inline v128_t add_product(v128_t sum, v128_t a, v128_t b) { return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b)); }

/*
 * The first layer: 5 x 5 pixels of RGBA bytes, every second one, to 24 channels that are not negative. Beyond the border
 * there is one pixel of zeros at the top and on the left, and two on the other sides.
 */
LAYER(convolve_photo)(const unsigned char *restrict photo, int side, in weights, in bias, out target) {
  int half = side / 2;
  for (int y = 0; y < half; y++)
    for (int x = 0; x < half; x++) {
      v128_t s0 = wasm_v128_load(bias), s1 = wasm_v128_load(bias + 4), s2 = wasm_v128_load(bias + 8);
      v128_t s3 = wasm_v128_load(bias + 12), s4 = wasm_v128_load(bias + 16), s5 = wasm_v128_load(bias + 20);
      for (int ky = 0; ky < 5; ky++) {
        int row = 2 * y + ky - 1;
        if (row < 0 || row >= side) continue;
        for (int kx = 0; kx < 5; kx++) {
          int column = 2 * x + kx - 1;
          if (column < 0 || column >= side) continue;
          for (int channel = 0; channel < 3; channel++) {
            v128_t value = wasm_f32x4_splat(photo[4 * (row * side + column) + channel] / 127.5f - 1);
            in w = weights + ((ky * 5 + kx) * 3 + channel) * 24;
            s0 = add_product(s0, value, wasm_v128_load(w));
            s1 = add_product(s1, value, wasm_v128_load(w + 4));
            s2 = add_product(s2, value, wasm_v128_load(w + 8));
            s3 = add_product(s3, value, wasm_v128_load(w + 12));
            s4 = add_product(s4, value, wasm_v128_load(w + 16));
            s5 = add_product(s5, value, wasm_v128_load(w + 20));
          }
        }
      }
      float *pixel = target + (y * half + x) * 24;
      wasm_v128_store(pixel, positive(s0));
      wasm_v128_store(pixel + 4, positive(s1));
      wasm_v128_store(pixel + 8, positive(s2));
      wasm_v128_store(pixel + 12, positive(s3));
      wasm_v128_store(pixel + 16, positive(s4));
      wasm_v128_store(pixel + 20, positive(s5));
    }
}

/* 3 x 3 pixels of each channel by itself, every `stride`-th one. With a stride of 2 the border is below and on the right. */
LAYER(convolve_channels)(in source, int side, int channels, in weights, int stride, out target) {
  int target_side = side / stride, before = stride == 1;
  for (int y = 0; y < target_side; y++)
    for (int x = 0; x < target_side; x++)
      for (int channel = 0; channel < channels; channel += 4) {
        v128_t sum = wasm_f32x4_splat(0);
        for (int ky = 0; ky < 3; ky++) {
          int row = y * stride + ky - before;
          if (row < 0 || row >= side) continue;
          for (int kx = 0; kx < 3; kx++) {
            int column = x * stride + kx - before;
            if (column < 0 || column >= side) continue;
            sum = add_product(sum, wasm_v128_load(source + (row * side + column) * channels + channel),
                              wasm_v128_load(weights + (ky * 3 + kx) * channels + channel));
          }
        }
        wasm_v128_store(target + (y * target_side + x) * channels + channel, sum);
      }
}

/* The largest of 2 x 2 pixels of each channel. */
LAYER(pool)(in source, int side, int channels, out target) {
  int half = side / 2;
  for (int y = 0; y < half; y++)
    for (int x = 0; x < half; x++)
      for (int channel = 0; channel < channels; channel += 4) {
        in first = source + (2 * y * side + 2 * x) * channels + channel;
        in second = first + side * channels;
        v128_t above = wasm_f32x4_pmax(wasm_v128_load(first), wasm_v128_load(first + channels));
        v128_t below = wasm_f32x4_pmax(wasm_v128_load(second), wasm_v128_load(second + channels));
        wasm_v128_store(target + (y * half + x) * channels + channel, wasm_f32x4_pmax(above, below));
      }
}

/* One value of four channels of a pixel of `mix_channels`, with what is added to it. */
static inline void store_mixed(out target, v128_t sum, in added, int is_added, int is_positive) {
  if (is_added) sum = wasm_f32x4_add(sum, wasm_v128_load(added));
  wasm_v128_store(target, is_positive ? positive(sum) : sum);
}

/*
 * All channels of each pixel to `to` others, a multiple of 8; pixels are a multiple of 4. `added` has `added_channels`
 * for each pixel, which are added to the first ones.
 */
LAYER(mix_channels)(in source, int pixels, int from, in weights, in bias, int to, in added, int added_channels,
                    int is_positive, out target) {
  for (int pixel = 0; pixel < pixels; pixel += 4) {
    in first = source + pixel * from;
    for (int channel = 0; channel < to; channel += 8) {
      v128_t a0 = wasm_v128_load(bias + channel), a1 = wasm_v128_load(bias + channel + 4);
      v128_t b0 = a0, b1 = a1, c0 = a0, c1 = a1, d0 = a0, d1 = a1;
      in w = weights + channel;
      for (int k = 0; k < from; k++, w += to) {
        v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4);
        v128_t a = wasm_v128_load32_splat(first + k), b = wasm_v128_load32_splat(first + from + k);
        v128_t c = wasm_v128_load32_splat(first + 2 * from + k), d = wasm_v128_load32_splat(first + 3 * from + k);
        a0 = add_product(a0, a, w0), a1 = add_product(a1, a, w1);
        b0 = add_product(b0, b, w0), b1 = add_product(b1, b, w1);
        c0 = add_product(c0, c, w0), c1 = add_product(c1, c, w1);
        d0 = add_product(d0, d, w0), d1 = add_product(d1, d, w1);
      }
      int is_added = channel < added_channels;
      float *to_pixel = target + pixel * to + channel;
      const float *from_pixel = added + pixel * added_channels + channel;
      store_mixed(to_pixel, a0, from_pixel, is_added, is_positive);
      store_mixed(to_pixel + 4, a1, from_pixel + 4, is_added, is_positive);
      store_mixed(to_pixel + to, b0, from_pixel + added_channels, is_added, is_positive);
      store_mixed(to_pixel + to + 4, b1, from_pixel + added_channels + 4, is_added, is_positive);
      store_mixed(to_pixel + 2 * to, c0, from_pixel + 2 * added_channels, is_added, is_positive);
      store_mixed(to_pixel + 2 * to + 4, c1, from_pixel + 2 * added_channels + 4, is_added, is_positive);
      store_mixed(to_pixel + 3 * to, d0, from_pixel + 3 * added_channels, is_added, is_positive);
      store_mixed(to_pixel + 3 * to + 4, d1, from_pixel + 3 * added_channels + 4, is_added, is_positive);
    }
  }
}
