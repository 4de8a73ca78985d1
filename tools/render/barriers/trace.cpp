// Renders one barrier: trace OUT WIDTH SAMPLES < numbers, where the numbers are the light and the piece as barriers.py
// writes them. OUT gets WIDTH x 0.4 WIDTH pixels of linear RGBA, premultiplied, as floats.
//   nvcc -O3 -use_fast_math -x cu trace.cpp     g++ -O3 -fopenmp trace.cpp
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "pieces.h"

// People stand two metres from the camera, the edge 1.7 m, 40 cm below it: at 1800 pixels a centimetre is 14 of them,
// as on people whose faces are 200 to 300 pixels high.
#define eyeHeight 40.f
#define eyeDistance 170.f
#define focal (2400.f / 1800)
#define firstRow (415.f / 1800)

FN V normalAt(V p, const Piece& o, float e) {
  const V a = v(1, -1, -1), b = v(-1, -1, 1), c = v(-1, 1, -1), d = v(1, 1, 1);
  return norm(a * distanceTo(p + a * e, o) + b * distanceTo(p + b * e, o) + c * distanceTo(p + c * e, o) + d * distanceTo(p + d * e, o));
}

FN bool march(V from, V dir, const Piece& o, float most, int steps, V* at) {
  float t = 0;
  for (int i = 0; i < steps; i++) {
    V p = from + dir * t;
    float d = distanceTo(p, o);
    if (d < .002f + .000005f * t) { *at = p; return true; }
    t += fmaxf(d, .004f);
    if (t > most || (p.y > 6 && dir.y > 0)) return false;
  }
  *at = from + dir * t;
  return distanceTo(*at, o) < .3f;
}

/** The plate in front and the fill behind the camera. */
FN V surroundings(V d, const Light& l) {
  float up = d.y;
  V plate = up > 0 ? mixv(l.mid, l.top, step01(0.f, .8f, up)) : mixv(l.mid, l.low, step01(0.f, .35f, -up));
  float mean = (lum(l.top) + lum(l.mid) + lum(l.low)) / 3;
  V behind = l.fill * (mean * (up > 0 ? .9f : .45f) / (lum(l.fill) + 1e-4f));
  return mixv(behind, plate, step01(-.5f, .5f, d.z)) * (l.ambient * l.key / (mean + 1e-4f));
}

FN void frame(V n, V* t, V* b) { *t = norm(fabsf(n.y) < .9f ? cross(n, v(0, 1, 0)) : cross(n, v(1, 0, 0))); *b = cross(n, *t); }

FN V cosineAround(V n, Random& r) {
  V t, b; frame(n, &t, &b);
  float u = r.next(), w = 6.2831853f * r.next(), s = sqrtf(u);
  return norm(t * (s * cosf(w)) + b * (s * sinf(w)) + n * sqrtf(fmaxf(0.f, 1 - u)));
}

FN V halfVector(V n, float a, Random& r) {
  V t, b; frame(n, &t, &b);
  float u = r.next(), w = 6.2831853f * r.next();
  float c = sqrtf((1 - u) / (1 + (a * a - 1) * u)), s = sqrtf(fmaxf(0.f, 1 - c * c));
  return norm(t * (s * cosf(w)) + b * (s * sinf(w)) + n * c);
}

FN float highlight(V n, V view, V light, float a) {
  V h = norm(view + light);
  float nh = fmaxf(dot(n, h), 0.f), d = nh * nh * (a * a - 1) + 1;
  float nl = fmaxf(dot(n, light), 0.f), nv = fmaxf(dot(n, view), .05f);
  return a * a / (3.14159f * d * d) * nl / (4 * fmaxf(nl * nv, .08f));
}

FN void pixel(int i, int width, int samples, const Piece& o, const Light& l, float* out);
#ifdef __CUDACC__
__global__ void rows(int count, int width, int samples, Piece o, Light l, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) pixel(i, width, samples, o, l, out);
}
#endif

static V readV() { V a; if (scanf("%f %f %f", &a.x, &a.y, &a.z) != 3) exit(2); return a; }

FN V traceFrom(V from, V dir, const Piece& o, const Light& l, Random& r, bool* seen) {
  V sum = v(0, 0, 0), weight = v(1, 1, 1);
  *seen = false;
  for (int bounce = 0; bounce < 4; bounce++) {
    V p;
    if (!march(from, dir, o, bounce ? 120 : 420, bounce ? 90 : 400, &p)) {
      if (bounce) sum = sum + weight * surroundings(dir, l);
      break;
    }
    *seen = true;
    V n = normalAt(p, o, bounce ? .02f : .012f);
    if (dot(n, dir) > 0) n = norm(n - dir * (1.02f * dot(n, dir)));
    Material m = materialAt(p, n, o);
    sum = sum + weight * m.emission * (bounce ? .8f : 1.f);
    V view = dir * -1.f;
    float facing = clampf(dot(n, view), 0.f, 1.f), fresnel = powf(1 - facing, 5);
    float gloss = m.metal > 0 ? 1 : (.04f + .96f * fresnel * (1 - .75f * m.rough)) * clampf(m.clear, 0.f, 1.f);
    float a = m.rough * m.rough;
    if (m.clear > 0 && m.metal == 0) a = fminf(a, .12f);
    V from2 = p + n * .03f;
    // The key is a broad lamp.
    V t, b; frame(l.toLight, &t, &b);
    float u = .22f * sqrtf(r.next()), w = 6.2831853f * r.next();
    V toKey = norm(l.toLight + t * (u * cosf(w)) + b * (u * sinf(w)));
    float nl = dot(n, toKey);
    V hidden;
    if (nl > 0 && !march(from2, toKey, o, 70, 64, &hidden)) {
      float shine = fminf(highlight(n, view, toKey, fmaxf(a, .02f)), 6.f) * 3.14159f;
      V diffuse = m.albedo * (nl * (1 - m.metal) * (1 - gloss));
      V specular = m.metal > 0 ? m.albedo * shine : v(1, 1, 1) * (shine * gloss);
      sum = sum + weight * l.colour * (l.direct * l.key) * (diffuse + specular);
    }
    // Light that passes through snow and the pile of velvet: more where the surface turns away.
    if (m.sheen > 0) sum = sum + weight * m.albedo * mixv(l.colour, l.fill, .5f) * (l.key * 1.6f * m.sheen * powf(1 - facing, 2.5f));
    if (r.next() < gloss) {
      V h = halfVector(n, fmaxf(a, .01f), r);
      dir = norm(dir - h * (2 * dot(dir, h)));
      if (dot(dir, n) <= 0) break;
      if (m.metal > 0) weight = weight * m.albedo;
    } else {
      dir = cosineAround(n, r);
      weight = weight * m.albedo;
    }
    from = from2;
    if (fmaxf(weight.x, fmaxf(weight.y, weight.z)) < .02f) break;
  }
  float most = 3.5f, bright = fmaxf(sum.x, fmaxf(sum.y, sum.z));
  return bright > most ? sum * (most / bright) : sum;
}

FN void pixel(int i, int width, int samples, const Piece& o, const Light& l, float* out) {
  int px = i % width, py = i / width;
  Random r{mixBits(uint32_t(i) + 12345u)};
  for (int k = 0; k < 4; k++) r.next();
  V sum = v(0, 0, 0);
  float seen = 0;
  int side = int(sqrtf(float(samples)));
  for (int s = 0; s < side * side; s++) {
    float x = (px + (s % side + r.next()) / side) / width - .5f;
    float y = (py + (s / side + r.next()) / side) / width + firstRow;
    bool hit;
    V c = traceFrom(v(0, eyeHeight, -eyeDistance), norm(v(x, -y, focal)), o, l, r, &hit);
    if (!hit || !(lum(c) < 100)) continue;
    sum = sum + c;
    seen += 1;
  }
  float n = 1.f / (side * side);
  out[4 * i] = sum.x * n; out[4 * i + 1] = sum.y * n; out[4 * i + 2] = sum.z * n; out[4 * i + 3] = seen * n;
}

int main(int, char** argv) {
  int width = atoi(argv[2]), samples = atoi(argv[3]), height = width * 2 / 5, count = width * height;
  Light l; Piece o;
  l.toLight = norm(readV()); l.colour = readV(); l.fill = readV();
  if (scanf("%f", &l.key) != 1) return 2;
  l.top = readV(); l.mid = readV(); l.low = readV();
  if (scanf("%d", &o.kind) != 1) return 2;
  o.a = readV(); o.b = readV(); o.c = readV();
  V more = readV(); o.p = more.x; o.q = more.y; o.r = more.z;
  l.direct = 2.7f;
  l.ambient = .9f;
  if (o.kind == driftPiece) {  // Snow and sand are seen by light that grazes them.
    l.toLight = norm(v(l.toLight.x - .5f, fmaxf(l.toLight.y * .45f, .3f), l.toLight.z));
    l.direct = 3.3f;
    l.ambient = .5f;
  }
  std::vector<float> out(size_t(count) * 4);
#ifdef __CUDACC__
  float* device;
  cudaMalloc(&device, out.size() * sizeof(float));
  rows<<<(count + 127) / 128, 128>>>(count, width, samples, o, l, device);
  if (cudaDeviceSynchronize() != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError())); return 3; }
  cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
#else
#pragma omp parallel for schedule(dynamic, 512)
  for (int i = 0; i < count; i++) pixel(i, width, samples, o, l, out.data());
#endif
  FILE* file = fopen(argv[1], "wb");
  fwrite(out.data(), sizeof(float), out.size(), file);
  return fclose(file);
}
