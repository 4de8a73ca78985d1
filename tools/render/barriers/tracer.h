// A small path tracer over signed distances: what people stand behind is a few pieces of simple shape seen from near,
// and a distance function carries mouldings, folds, drifts and leaves without a mesh. Compiles as CUDA and as C++.
#pragma once
#include <cmath>
#include <cstdint>
#ifdef __CUDACC__
#define FN __host__ __device__ inline
#else
#define FN inline
#endif

struct V { float x, y, z; };
FN V v(float x, float y, float z) { return {x, y, z}; }
FN V operator+(V a, V b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
FN V operator-(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
FN V operator*(V a, V b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
FN V operator*(V a, float s) { return {a.x * s, a.y * s, a.z * s}; }
FN float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FN V cross(V a, V b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
FN float len(V a) { return sqrtf(dot(a, a)); }
FN V norm(V a) { return a * (1.f / (len(a) + 1e-12f)); }
FN V mixv(V a, V b, float t) { return a + (b - a) * t; }
FN float mixf(float a, float b, float t) { return a + (b - a) * t; }
FN float clampf(float a, float lo, float hi) { return fminf(fmaxf(a, lo), hi); }
FN float step01(float from, float to, float x) { float t = clampf((x - from) / (to - from), 0.f, 1.f); return t * t * (3 - 2 * t); }
FN float smin(float a, float b, float k) { float h = fmaxf(k - fabsf(a - b), 0.f) / k; return fminf(a, b) - h * h * k * .25f; }
FN float lum(V c) { return .2126f * c.x + .7152f * c.y + .0722f * c.z; }
FN float wrap(float x, float period) { return x - period * floorf(x / period + .5f); }

FN uint32_t mixBits(uint32_t h) { h ^= h >> 16; h *= 0x7feb352dU; h ^= h >> 15; h *= 0x846ca68bU; return h ^ (h >> 16); }
FN float hash3(int x, int y, int z) {
  return mixBits(uint32_t(x) * 0x9E3779B1U ^ mixBits(uint32_t(y) * 0x85EBCA77U ^ mixBits(uint32_t(z) * 0xC2B2AE3DU + 17U))) * 2.3283064e-10f;
}
struct Random { uint32_t state; FN float next() { state = state * 747796405U + 2891336453U; uint32_t w = ((state >> ((state >> 28) + 4)) ^ state) * 277803737U; return ((w >> 22) ^ w) * 2.3283064e-10f; } };

/** Smooth noise, -1 to 1. */
FN float noise(V p) {
  float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
  int ix = int(fx), iy = int(fy), iz = int(fz);
  float x = p.x - fx, y = p.y - fy, z = p.z - fz;
  x = x * x * x * (x * (x * 6 - 15) + 10); y = y * y * y * (y * (y * 6 - 15) + 10); z = z * z * z * (z * (z * 6 - 15) + 10);
  float a = mixf(mixf(hash3(ix, iy, iz), hash3(ix + 1, iy, iz), x), mixf(hash3(ix, iy + 1, iz), hash3(ix + 1, iy + 1, iz), x), y);
  float b = mixf(mixf(hash3(ix, iy, iz + 1), hash3(ix + 1, iy, iz + 1), x), mixf(hash3(ix, iy + 1, iz + 1), hash3(ix + 1, iy + 1, iz + 1), x), y);
  return 2 * mixf(a, b, z) - 1;
}
FN float fbm(V p, int octaves) {
  float sum = 0, amplitude = .5f;
  for (int i = 0; i < octaves; i++) { sum += amplitude * noise(p); p = v(p.y * 1.7f + p.x * 1.1f + 3.1f, p.z * 1.7f - p.x * 1.1f + 1.7f, p.x * .9f + p.z * 1.2f - p.y * 1.2f + 5.3f); amplitude *= .5f; }
  return sum;
}
FN float ridged(V p, int octaves) {
  float sum = 0, amplitude = .5f;
  for (int i = 0; i < octaves; i++) { sum += amplitude * (1 - 2 * fabsf(noise(p))); p = v(p.y * 1.8f + p.x * 1.0f + 3.1f, p.z * 1.8f - p.x * 1.0f + 1.7f, p.x * .9f + p.z * 1.3f - p.y * 1.1f + 5.3f); amplitude *= .5f; }
  return sum;
}
/** A box with round edges; in two dimensions where c.z or half.z is endless. */
FN float roundBox(V p, V half, float r) {
  V q = v(fabsf(p.x) - half.x + r, fabsf(p.y) - half.y + r, fabsf(p.z) - half.z + r);
  V o = v(fmaxf(q.x, 0.f), fmaxf(q.y, 0.f), fmaxf(q.z, 0.f));
  return len(o) + fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0.f) - r;
}

struct Material { V albedo; float rough; float metal; V emission; float sheen; float clear; };

/** What lights a scene: scene.json's light, and the mean colours of its plate from top to bottom. */
struct Light { V toLight, colour, fill; float key; V top, mid, low; float direct, ambient; };

struct Piece { int kind; V a, b, c; float p, q, r; };
