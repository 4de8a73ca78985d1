// The pieces that people stand behind. Centimetres: y = 0 is the height of the top edge, z = 0 its front, x runs along
// it. Everything is solid from the edge down: bodies that end behind it must not be seen through it.
#pragma once
#include "tracer.h"

enum { counterPiece, wallPiece, driftPiece, rockPiece, logPiece, clothPiece, consolePiece, boardPiece, casePiece, hedgePiece, boothPiece, slatPiece };

/** Raised fields in frames, as depth of the front. */
FN float panelRelief(float x, float y, float period, float top) {
  float fx = period * .5f - 5 - fabsf(wrap(x, period)), fy = top - y;
  float inside = fminf(fx, fy);
  float frame = 1.5f * step01(0.f, .9f, inside);
  return frame - .5f * step01(1.1f, 1.5f, inside) * (1 - step01(1.9f, 2.3f, inside)) - .7f * step01(4.2f, 6.2f, inside);
}

/** p: width of a field; q: a rail of metal in front (1), wood (0) or marble and gilt (-1); r: shift along x. c lights the bead. */
FN float counterDistance(V p, const Piece& o) {
  float slab = roundBox(v(0, p.y + 1.9f, p.z - 16), v(1, 1.9f, 16), 1.2f);
  float bead = len(v(0, p.y + 4.9f, p.z - 2.4f)) - 1.1f;
  float cove = roundBox(v(0, p.y + 7.1f, p.z - 20), v(1, 1.5f, 16.4f), .5f);
  float front = (5 + panelRelief(p.x + o.r, p.y, o.p, -12) - p.z) * .7f;
  front = fmaxf(front, p.y + 1);
  float d = fminf(fminf(slab, bead), fminf(cove, front));
  if (o.q > 0) {
    float ry = p.y + 15.5f, rail = sqrtf(ry * ry + (p.z + 3) * (p.z + 3)) - 1.3f;
    float bx = wrap(p.x + 11, 46);
    float bracket = fmaxf(sqrtf(bx * bx + ry * ry) - .8f, fabsf(p.z - 1) - 4);
    float ring = fmaxf(sqrtf(ry * ry + (p.z + 3) * (p.z + 3)) - 1.75f, fabsf(bx) - 1.2f);
    d = fminf(d, fminf(rail, fminf(bracket, ring)));
  }
  return d;
}

/** A coping on blocks. q: how wet it is; r: shift. */
FN float wallDistance(V p, const Piece& o) {
  float rough = .28f * fbm(p * .35f, 4) + .1f * fbm(p * 1.7f, 3);
  float jx = fabsf(wrap(p.x + 21 + o.r, 58));
  float joint = .5f * (1 - step01(.15f, .8f, jx));
  float coping = roundBox(v(0, p.y + 3.6f, p.z - 19), v(1, 3.6f, 19), 1.1f) + joint + rough * .6f;
  float neck = roundBox(v(0, p.y + 8.4f, p.z - 22), v(1, 1.6f, 19), .7f) + rough * .5f;
  int row = int(floorf((p.y + 10) / 15));
  float ry = p.y + 10 - row * 15.f, off = row * 19.f + 13 * hash3(row, 3, 1);
  float cx = p.x + off + o.r, column = floorf(cx / 41);
  float rx = cx - column * 41;
  float edge = fminf(fminf(rx, 41 - rx), fminf(ry, 15 - ry));
  float push = .9f * hash3(row, int(column), 9);
  float zf = 7.1f + push - 1.1f * step01(.2f, 1.8f, edge) + 1.2f * rough;
  float wall = fmaxf((zf - p.z) * .6f, p.y + 6);
  return fminf(fminf(coping, neck), wall) * .75f;
}

/** Snow or sand. p: height of ripples; q: how rough; r: seed. c.x: light that passes through; c.y: glints. */
FN float driftHeight(float x, float z, const Piece& o) {
  float crest = 14 + 9 * noise(v(x * .013f, 2.5f + o.r, 0));
  float away = z - crest;
  float shape = away < 0 ? -.36f * (sqrtf(away * away + 60) - 7.746f) : -.5f * (sqrtf(away * away + 25) - 5);
  float swell = 3.0f * noise(v(x * .022f + 7, z * .012f, o.r)) + 1.7f * noise(v(x * .055f, z * .05f, o.r + 4));
  float fine = o.q * (.8f * fbm(v(x * .07f, z * .2f, o.r), 4) + .9f * ridged(v(x * .03f + z * .01f, z * .085f, o.r + 2), 4) + .1f * fbm(v(x * 1.1f, z * 1.1f, 1), 4));
  float ripple = 0;
  if (o.p > 0) {
    float bend = z + 3.2f * noise(v(x * .045f, z * .03f, 3)) + .12f * x;
    float phase = bend / 3.1f + .35f * noise(v(x * .12f, z * .1f, 8));
    float t = phase - floorf(phase);
    ripple = o.p * (t < .68f ? t / .68f : (1 - t) / .32f) * (.75f + .25f * noise(v(x * .03f, z * .06f, 2)));
  }
  return shape + swell + fine + ripple;
}

/** Worn blocks, between balls and boxes. p: how rugged; q: how much of c grows on top; r: seed. */
FN float rockDistance(V p, const Piece& o) {
  float best = p.y + 10 + .36f * fmaxf(0.f, -p.z - 5);
  int cell = int(floorf(p.x / 30)), seed = int(o.r);
  for (int i = cell - 1; i <= cell + 1; i++)
    for (int k = 0; k < 3; k++) {
      float rx = 11 + 8 * hash3(i, k, 2 + seed), ry = (k == 0 ? 12 : 9) + 5 * hash3(i, k, 3 + seed), rz = 10 + 5 * hash3(i, k, 5);
      V c = v(i * 30.f + 30 * hash3(i, k, 1 + seed), (k == 0 ? -14.5f : k == 1 ? -22 : -32) + 3 * hash3(i, k, 7), k == 0 ? 14 : k == 1 ? 0 : -10);
      V q = p - c;
      float turn = 2.4f * hash3(i, k, 11) - 1.2f, co = cosf(turn), si = sinf(turn);
      q = v(co * q.x + si * q.z, q.y + .25f * q.x * (hash3(i, k, 13) - .5f), co * q.z - si * q.x);
      V e = v(q.x / rx, q.y / ry, q.z / rz);
      float cube = powf(powf(fabsf(e.x), 4) + powf(fabsf(e.y), 4) + powf(fabsf(e.z), 4), .25f);
      float d = (mixf(len(e), cube, .6f) - 1) * fminf(rx, fminf(ry, rz));
      best = smin(best, d, 1.5f);
    }
  if (best > 6) return best - 3.5f;
  return (best - 2.2f * o.p * ridged(p * .055f + v(o.r, 0, 0), 5) - .22f * fbm(p * .9f, 4)) * .55f;
}

FN float logDistance(V p, const Piece& o) {
  float best = 1e9f;
  for (int k = 0; k < 4; k++) {
    float cy = -7.2f - 13.6f * k, cz = 9 + 1.1f * sinf(k * 2.1f), r = 7.2f + .5f * noise(v(p.x * .01f, k * 7.f, 2));
    float dy = p.y - cy - .5f * noise(v(p.x * .015f, k * 3.f, 5)), dz = p.z - cz;
    float angle = atan2f(dy, dz);
    float grain = .10f * fbm(v(p.x * .06f, angle * 5 + k * 9, 1.5f), 4) + .05f * noise(v(p.x * .9f, angle * 14, k));
    best = fminf(best, sqrtf(dy * dy + dz * dz) - r + grain);
  }
  return fminf(best, fmaxf(11.5f - p.z, p.y + 8)) * .8f;
}

/** p: width of a fold; q: sheen; r: seed. */
FN float foldDepth(float x, float y, const Piece& o) {
  float grow = .3f + .7f * step01(-8.f, -26.f, y);
  float warp = x + 2.2f * noise(v(x * .03f, y * .02f, o.r));
  float phase = warp / o.p + .4f * noise(v(x * .05f, o.r, 2));
  float s = sinf(6.2832f * phase), t = sinf(6.2832f * phase * .5f + 1.3f);
  return grow * (3.3f * s + 1.7f * t + 1.1f * noise(v(x * .14f, y * .05f, 6)));
}

/** A padded top, drawn in by buttons, a cord and cloth that hangs in folds. */
FN float clothDistance(V p, const Piece& o) {
  float pad = roundBox(v(0, p.y + 4, p.z - 15), v(1, 4, 15), 3.6f) + .25f * noise(v(p.x * .1f, p.y * .3f, p.z * .08f));
  float bx = wrap(p.x + o.r, 17);
  pad += .7f * expf(-(bx * bx + (p.y + 4) * (p.y + 4) + p.z * p.z) / 5.f);
  float trim = sqrtf((p.y + 9.3f) * (p.y + 9.3f) + (p.z - 2.6f) * (p.z - 2.6f)) - 1.15f;
  trim += .12f * sinf(p.x * 4 + 3 * atan2f(p.y + 9.3f, p.z - 2.6f));
  float cloth = fmaxf((7.6f + foldDepth(p.x, p.y, o) - p.z) * .4f, p.y + 8.2f);
  return fminf(pad, fminf(trim, cloth)) * .9f;
}

/** A face that leans towards the camera, with a lit gap under it. p: width of a part; q: metal; b, c: colours of its lamps. */
FN float consoleDistance(V p, const Piece& o) {
  float cut = fabsf(wrap(p.x + o.r, o.p));
  float seam = .35f * (1 - step01(.1f, .35f, cut));
  float slab = roundBox(v(0, p.y + 1.6f, p.z - 19), v(1, 1.6f, 16.5f), .9f) + seam;
  V q = v(p.x, p.y * .93f + (p.z - 3) * .36f, (p.z - 3) * .93f - p.y * .36f);
  float lean = roundBox(v(0, q.y + 11, q.z - 8), v(1, 8.5f, 8), 1) + seam;
  float field = fminf(cut - 4, 6 - fabsf(q.y + 11));
  if (q.z < 2) lean += .5f * step01(0.f, .5f, field);
  float gap = fmaxf(4.2f - p.z, p.y + 1.5f);
  float base = fmaxf(roundBox(v(0, p.y + 60, p.z - 11), v(1, 38.5f, 9), 1) + seam, p.y + 21.1f);
  return fminf(fminf(slab, lean), fminf(gap, base)) * .85f;
}

/** A perimeter board of lamps in a frame. */
FN float boardDistance(V p, const Piece& o) {
  float frame = roundBox(v(0, p.y + 1.6f, p.z - 4), v(1, 1.6f, 4), .7f);
  float x = fabsf(wrap(p.x + o.r, 96));
  float post = fmaxf(roundBox(v(x, 0, p.z - 7.5f), v(.9f, 1, 7), .3f), p.y + 1);
  float front = fmaxf(2.2f - p.z, p.y + 1);
  float lower = roundBox(v(0, p.y + 34, p.z - 7), v(1, 1.4f, 7), .5f);
  return fminf(fminf(frame, post), fminf(front, lower));
}

/** Cases with edges of metal, a ball on each corner, and latches. */
FN float caseDistance(V p, const Piece& o) {
  float cell = floorf((p.x + o.r) / 74), x = p.x + o.r - cell * 74 - 37;
  V q = v(x, p.y + 26, p.z - 24 - 2.5f * hash3(int(cell), 2, 3));
  float body = roundBox(q, v(36.4f, 25.6f, 23.6f), .4f);
  float ex = 36.4f - fabsf(q.x), ey = 25.6f - fabsf(q.y), ez = 23.6f - fabsf(q.z);
  float second = ex + ey + ez - fminf(ex, fminf(ey, ez)) - fmaxf(ex, fmaxf(ey, ez));
  float bars = fmaxf(roundBox(q, v(36.8f, 26, 24), 1), second - 2.6f);
  float ball = len(v(fabsf(q.x) - 35.6f, fabsf(q.y) - 24.8f, fabsf(q.z) - 22.8f)) - 3.1f;
  V l = v(fabsf(q.x) - 17, q.y - 9, q.z + 23.6f);
  float latch = fmaxf(roundBox(l, v(5, 4, .8f), .4f), -roundBox(l - v(0, 0, -.6f), v(4, 3, .9f), .2f));
  float knob = roundBox(l, v(2.2f, 1.6f, .7f), .4f);
  float lid = q.z < -23.f ? .35f * (1 - step01(.1f, .5f, fabsf(q.y - 9))) * (fabsf(fabsf(q.x) - 17) > 5 ? 1 : 0) : 0;
  float wall = fmaxf(30 - p.z, p.y + 1.5f);
  return fminf(fminf(fminf(body + lid, bars), fminf(ball, latch)), fminf(knob, wall)) * .9f;
}

FN float hedgeShell(V p, const Piece& o) {
  float body = roundBox(v(0, p.y + 11, p.z - 15), v(1, 10, 14), 4.5f);
  return body + 1.5f * fbm(p * .09f + v(o.r, 0, 0), 3) - .2f;
}

/** Leaves of box: small flat ovals, one in each cell near the surface of a clipped hedge; twigs in the dark below. */
FN float hedgeDistance(V p, const Piece& o) {
  float box = fmaxf(roundBox(v(0, p.y + 60, p.z - 15), v(1, 42, 15.5f), .6f), p.y + 18);
  float groove = fabsf(wrap(p.y + 18, 11));
  if (p.z < 2) box += .5f * (1 - step01(.15f, .5f, groove));
  float lip = roundBox(v(0, p.y + 19, p.z - 15), v(1, 1.5f, 17), .4f);
  float wood = fminf(box, lip) * .9f;
  float shell = hedgeShell(p, o);
  if (shell > 2.2f) return fminf(wood, shell - 1.5f);
  const float size = 1.25f;
  int cx = int(floorf(p.x / size)), cy = int(floorf(p.y / size)), cz = int(floorf(p.z / size));
  float best = shell + 1.3f;
  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) for (int k = -1; k <= 1; k++) {
    int x = cx + i, y = cy + j, z = cz + k;
    V c = v((x + hash3(x, y, z)) * size, (y + hash3(x + 91, y, z)) * size, (z + hash3(x, y + 57, z)) * size);
    if (hedgeShell(c, o) > .35f) continue;
    V n = norm(v(hash3(x, y, z + 31) - .5f, hash3(x + 5, y + 3, z) - .15f, hash3(x, y + 7, z + 2) - .75f));
    V u = norm(cross(n, v(hash3(z, x, y) - .5f, .4f, hash3(y, z, x) - .5f)));
    V q = p - c;
    float l = len(v(dot(q, u) / .95f, dot(q, cross(n, u)) / .58f, dot(q, n) / .16f));
    best = fminf(best, (l - 1) * (l < 1 ? .16f : .16f + .3f * clampf(l - 1, 0.f, 1.f)));
  }
  return fminf(wood, best * .8f);
}

/** Painted boards under a row of bulbs. p: width of a board. */
FN float boothDistance(V p, const Piece& o) {
  float slab = roundBox(v(0, p.y + 1.5f, p.z - 16), v(1, 1.5f, 16), .7f);
  float cell = wrap(p.x + o.r, o.p);
  float groove = .35f * (1 - step01(.1f, .45f, o.p * .5f - fabsf(cell)));
  float front = fmaxf((4 + groove - p.z) * .8f, p.y + 1);
  float strip = roundBox(v(0, p.y + 7, p.z - 3.2f), v(1, 2.6f, 1.2f), .5f);
  float bx = wrap(p.x + 4.6f, 9.2f), bulb = len(v(bx, p.y + 7, p.z - .6f)) - 1.75f;
  float socket = fmaxf(len(v(bx, p.y + 7, 0)) - 1.9f, fabsf(p.z - 2) - .8f);
  return fminf(fminf(slab, front), fminf(strip, fminf(bulb, socket)));
}

/** A rail on planks with bolts. q: varnish. */
FN float slatDistance(V p, const Piece& o) {
  float wear = .05f * fbm(v(p.x * .05f, p.y * 1.2f, p.z * 1.2f), 4);
  float top = roundBox(v(0, p.y + 2, p.z - 9), v(1, 2, 9.5f), .8f) + wear;
  int row = int(floorf((p.y + 5) / 11.5f));
  float y = p.y + 5 - row * 11.5f - 5.75f;
  float plank = roundBox(v(0, y, p.z - 6.5f - .5f * hash3(row, 1, 1)), v(1, 5.55f, 1.6f), .45f) + wear;
  plank = fmaxf(plank, p.y + 4);
  float post = fmaxf(roundBox(v(wrap(p.x + o.r, 104), 0, p.z - 11), v(4.6f, 1, 3), .4f), p.y + 3);
  float back = fmaxf(7.5f - p.z, p.y + 4);
  float bolt = len(v(fabsf(wrap(p.x + o.r, 104)) - 2.4f, y, p.z - 4.9f)) - .75f;
  return fminf(fminf(top, plank), fminf(fminf(post, back), fmaxf(bolt, p.y + 5))) * .9f;
}

FN float pieceDistance(V p, const Piece& o) {
  switch (o.kind) {
    case counterPiece: return counterDistance(p, o);
    case wallPiece: return wallDistance(p, o);
    case driftPiece: return (p.y - driftHeight(p.x, p.z, o)) * .38f;
    case rockPiece: return rockDistance(p, o);
    case logPiece: return logDistance(p, o);
    case clothPiece: return clothDistance(p, o);
    case consolePiece: return consoleDistance(p, o);
    case boardPiece: return boardDistance(p, o);
    case casePiece: return caseDistance(p, o);
    case hedgePiece: return hedgeDistance(p, o);
    case boothPiece: return boothDistance(p, o);
    default: return slatDistance(p, o);
  }
}

/** A piece ends behind, where people stand. */
FN float distanceTo(V p, const Piece& o) {
  float back = o.kind == driftPiece ? 400 : o.kind == boardPiece ? 8 : o.kind == slatPiece ? 18.5f : o.kind == logPiece ? 17 : o.kind == rockPiece ? 30 : 32;
  return fmaxf(pieceDistance(p, o), p.z - back);
}

/** Boards run along x; rings are seen at a slant. */
FN V woodColour(V p, V a, V b, int seed) {
  float ring = 3.2f * fbm(v(p.x * .018f, p.y * .35f, p.z * .35f + seed * 7), 3) + .5f * (p.y + p.z);
  float line = .5f + .5f * sinf(ring * 5);
  float pore = step01(.15f, .6f, noise(v(p.x * .22f, p.y * 5.5f, p.z * 5.5f)));
  float tone = .55f * line + .45f * (.5f + fbm(v(p.x * .05f, p.y * 2.5f, p.z * 2.5f + seed), 3));
  return mixv(a, b, clampf(tone, 0.f, 1.f)) * (1 - .28f * pore);
}

FN V uprightWood(V p, V a, V b, int seed) { return woodColour(v(p.y, p.x, p.z), a, b, seed); }

FN Material plain(V albedo, float rough) { return {albedo, rough, 0, v(0, 0, 0), 0, 0}; }

FN Material metalOf(V albedo, float rough) { return {albedo, rough, 1, v(0, 0, 0), 0, 0}; }

FN V marble(V p, V a, V b) {
  float vein = 1 - fabsf(noise(p * .05f + v(1, 1, 1) * (1.1f * fbm(p * .09f, 4))));
  vein = powf(clampf(vein, 0.f, 1.f), 18);
  return mixv(a, b, .4f * vein + .22f * clampf(fbm(p * .06f + v(9, 2, 4), 4), 0.f, 1.f)) * (1 + .08f * fbm(p * .5f, 3));
}

FN V stoneColour(V p, V a, V b, float cell) {
  float tone = .5f + .6f * fbm(p * .12f, 4) + .3f * (cell - .5f);
  V colour = mixv(a, b, clampf(tone, 0.f, 1.f)) * (1 + .16f * noise(p * 3.1f));
  return colour * (1 - .3f * step01(.3f, .5f, fbm(p * .2f + v(4, 9, 2), 4)));
}

FN Material counterMaterial(V p, V n, const Piece& o) {
  bool slab = p.y > -3.75f, bead = !slab && p.y > -6.05f && p.z < 3.4f;
  if (o.q > 0 && p.z < -.4f) return metalOf(v(.83f, .58f, .25f), .2f);
  Material m;
  if (o.q < 0) {
    float fx = o.p * .5f - 5 - fabsf(wrap(p.x + o.r, o.p)), inside = fminf(fx, -12 - p.y);
    if (bead || (p.y < -9 && inside > .95f && inside < 2.4f)) return metalOf(v(.86f, .6f, .24f), .28f);
    m = plain(marble(p, slab ? o.a : o.c, o.b), .22f);
    m.clear = .6f;
    return m;
  }
  m = plain(slab ? woodColour(p, o.a, o.b, 1) : p.y > -8.7f ? woodColour(p, o.a * .8f, o.b * .8f, 2) : uprightWood(p, o.a * .75f, o.b * .75f, 3), .4f);
  m.clear = slab ? .7f : .45f;
  if (bead && lum(o.c) > 0) m.emission = o.c;
  return m;
}

FN Material wallMaterial(V p, const Piece& o) {
  int row = int(floorf((p.y + 10) / 15));
  float off = row * 19.f + 13 * hash3(row, 3, 1);
  float cell = p.y > -8 ? hash3(int(floorf((p.x + 21 + o.r) / 58)), 5, 5) : hash3(row, int(floorf((p.x + off + o.r) / 41)), 4);
  Material m = plain(stoneColour(p, o.a, o.b, cell), .75f);
  m.clear = o.q;
  return m;
}

FN Material consoleMaterial(V p, V n, const Piece& o) {
  V q = v(p.x, p.y * .93f + (p.z - 3) * .36f, (p.z - 3) * .93f - p.y * .36f);
  bool gap = p.z > 3.9f && p.y < -2.9f && p.y > -24 && n.z < -.9f && p.z < 4.6f;
  if (gap || (p.y < -20.6f && p.y > -22.6f && p.z > 3)) { Material m = plain(v(0, 0, 0), .5f); m.emission = o.b * .8f; return m; }
  float field = fminf(fabsf(wrap(p.x + o.r, o.p)) - 4, 6 - fabsf(q.y + 11));
  if (q.z < 1.6f && field > .5f) {
    Material m = plain(v(.012f, .014f, .018f), .18f);
    m.clear = 1;
    float cx = floorf((p.x + 200) / 1.6f), dx = wrap(p.x + 200 - .8f, 1.6f);
    float on = hash3(int(cx), 3, 8), block = hash3(int(floorf((p.x + 200) / 12.8f)), 4, 5);
    float meter = 3.2f * (.5f + .5f * sinf(cx * .55f + 2 * block));
    if (field > 1.6f && block > .4f && fabsf(dx) < .45f && q.y + 14.5f > 0 && q.y + 14.5f < meter) m.emission = o.b * .5f;
    float y = q.y + 7.6f;
    if (field > 1 && dx * dx + y * y < .16f) m.emission = (on > .75f ? o.c : o.b) * (on > .45f ? .9f : .08f);
    return m;
  }
  if (o.q > 0) return metalOf(o.a, .36f);
  Material m = plain(o.a * (1 - .06f * step01(.2f, .5f, fbm(p * .3f, 3))), .35f);
  m.clear = .6f;
  return m;
}

FN Material boardMaterial(V p, const Piece& o) {
  if (p.z > 2.05f && p.y < -3.25f && p.y > -32.7f && fabsf(wrap(p.x + o.r, 96)) > 1) {
    float pitch = .62f, dx = wrap(p.x, pitch), dy = wrap(p.y, pitch);
    float dot2 = step01(.3f, .2f, sqrtf(dx * dx + dy * dy));
    float x = floorf(p.x / pitch) * pitch, y = floorf(p.y / pitch) * pitch;
    float wave = .5f + .5f * sinf((x * .045f + y * .05f) * 3.1f + .6f * sinf(x * .03f));
    float stripe = step01(.2f, .3f, fabsf(wrap(x + y * .9f, 46)) / 46);
    Material m = plain(v(.01f, .01f, .012f), .35f);
    m.emission = mixv(o.a, o.b, wave) * (mixf(.55f, 1, stripe) * (.25f + .75f * dot2));
    return m;
  }
  return metalOf(v(.62f, .64f, .67f), .35f);
}

FN Material caseMaterial(V p, const Piece& o) {
  float cell = floorf((p.x + o.r) / 74), x = p.x + o.r - cell * 74 - 37;
  V q = v(x, p.y + 26, p.z - 24 - 2.5f * hash3(int(cell), 2, 3));
  float ex = 36.4f - fabsf(q.x), ey = 25.6f - fabsf(q.y), ez = 23.6f - fabsf(q.z);
  float second = ex + ey + ez - fminf(ex, fminf(ey, ez)) - fmaxf(ex, fmaxf(ey, ez));
  bool latch = q.z < -23.9f && fabsf(q.y - 9) < 4.2f && fabsf(fabsf(q.x) - 17) < 5.2f;
  if (second < 2.7f || latch || q.z < -23.95f) return metalOf(v(.68f, .69f, .72f), .32f + .1f * noise(p * .8f));
  Material m = plain(o.a * (1 + .35f * noise(p * 7.f)), .5f);
  m.clear = .4f;
  return m;
}

FN Material hedgeMaterial(V p, const Piece& o) {
  if (p.y < -17.4f && hedgeShell(p, o) > .5f) { Material m = plain(woodColour(p, o.b, o.c, int(floorf(p.y / 11))), .6f); m.clear = .2f; return m; }
  float leaf = hash3(int(floorf(p.x / 1.25f)), int(floorf(p.y / 1.25f)), int(floorf(p.z / 1.25f)));
  float deep = step01(-1.4f, .2f, hedgeShell(p, o));
  Material m = plain(mixv(o.a * .55f, o.a * 1.25f, leaf) * mixf(.25f, 1.f, deep) * v(1 + .25f * (leaf - .5f), 1, 1), .42f);
  m.clear = .35f;
  return m;
}

FN Material boothMaterial(V p, const Piece& o) {
  float bx = wrap(p.x + 4.6f, 9.2f);
  if (len(v(bx, p.y + 7, p.z - .6f)) < 1.8f) { Material m = plain(v(.8f, .6f, .4f), .3f); m.emission = v(1.5f, .95f, .5f); return m; }
  if (len(v(bx, p.y + 7, 0)) < 1.95f && p.z < 2.2f) return metalOf(v(.7f, .5f, .25f), .4f);
  if (p.y > -9.8f && p.y < -4.2f && p.z < 4) return plain(o.c, .4f);
  if (p.y > -3.1f) { Material m = plain(woodColour(p, o.c * .9f, o.c * 1.1f, 1), .4f); m.clear = .5f; return m; }
  int board = int(floorf((p.x + o.r) / o.p + .5f));
  float wear = step01(.38f, .5f, fbm(v(p.x * .3f, p.y * .08f, 3), 4));
  Material m = plain(((board & 1) ? o.a : o.b) * ((1 - .25f * wear) * (1 + .06f * noise(v(p.x * 4, p.y * .4f, 0)))), .45f);
  m.clear = .4f;
  return m;
}

FN Material materialAt(V p, V n, const Piece& o) {
  Material m;
  switch (o.kind) {
    case counterPiece: return counterMaterial(p, n, o);
    case wallPiece: return wallMaterial(p, o);
    case consolePiece: return consoleMaterial(p, n, o);
    case boardPiece: return boardMaterial(p, o);
    case casePiece: return caseMaterial(p, o);
    case hedgePiece: return hedgeMaterial(p, o);
    case boothPiece: return boothMaterial(p, o);
    case driftPiece:
      m = plain(mixv(o.a, o.b, clampf(.5f + .5f * fbm(p * .2f, 3), 0.f, 1.f)) * (1 + .08f * noise(p * 6.f)), .8f);
      m.sheen = o.c.x;
      if (o.c.y > 0 && noise(p * 9.f) > .84f) m.clear = 1.5f;
      return m;
    case rockPiece: {
      float up = step01(.45f, .8f, n.y + .35f * fbm(p * .3f, 3));
      return plain(mixv(stoneColour(p * 1.4f, o.a, o.b, .5f), o.c * (1 + .3f * noise(p * 2.5f)), up * o.q), .85f);
    }
    case logPiece:
      m = plain(woodColour(v(p.x, p.y * .6f, p.z * .6f), o.a, o.b, int(floorf(-p.y / 13.6f)) + 2) * (p.z > 11 ? .4f : 1.f), .5f);
      m.clear = .3f;
      return m;
    case clothPiece:
      if (fabsf(p.y + 9.3f) < 1.4f && p.z < 4.1f) return metalOf(v(.8f, .55f, .22f), .38f);
      m = plain(o.a * ((1 + .1f * noise(p * 5.f)) * (1 + .25f * fbm(p * .15f, 3))), .9f);
      m.sheen = o.q;
      return m;
    default: {
      float y = p.y + 5 - floorf((p.y + 5) / 11.5f) * 11.5f - 5.75f;
      if (len(v(fabsf(wrap(p.x + o.r, 104)) - 2.4f, y, p.z - 4.9f)) < .85f && p.y < -5) return metalOf(v(.3f, .28f, .26f), .5f);
      m = plain(woodColour(p, o.a, o.b, p.y > -4.1f ? 1 : int(floorf((p.y + 5) / 11.5f))), .55f);
      m.clear = o.q;
      return m;
    }
  }
}
