/**
 * Compares two runs of `tools/swap/swap-sheet.ts --crops` pair by pair, for example of an engine before and after a
 * change.
 *
 *   npm run tool -- tools/swap/compare-swaps.ts BEFORE AFTER [folder with photos …]    each of the first two an `out/swap` folder
 *
 * Writes `out/compare/NNN.png`, both results of a pair side by side as A and B in random order, for somebody to judge
 * who does not know which is which, and `out/compare/key.json`, which tells. Prints the likeness of both runs to the
 * guest, as a whole and with the hair of the guest and of the template, and the glasses of both, hidden in all pictures;
 * each the mean over eleven crops that differ a little, because one alone is off by up to .027.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Face } from '@guise/engine/faces/face.ts';
import { gaussianBlur } from '@guise/engine/pixels/gaussian-blur.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import type { Picture } from '@guise/engine/pixels/picture.ts';
import { classifyFace, sampleClass } from '@guise/engine/swap/mesh/coverings.ts';
import sharp from 'sharp';
import { median } from '../../bench/goals.ts';
import {
  cosineSimilarity,
  embedFace,
  jitteredCrops,
  likenessPlaces,
  likenessSide,
  type Occluder,
} from '../../packages/engine/quality/likeness.ts';
import { cropBounds, cropName, readSwapPeople, type SwapFigures, type SwapPerson } from './swap-people.ts';

const out = 'out/compare';
const tile = 620;

const [before = '', after = '', ...folders] = process.argv.slice(2);
const read = async (folder: string): Promise<Record<string, SwapFigures>> =>
  JSON.parse(await readFile(join(folder, 'figures.json'), 'utf8'));
const [figuresBefore, figuresAfter] = [await read(before), await read(after)];
const pairs = Object.keys(figuresBefore).filter(
  (pair) => figuresBefore[pair]!.likeness !== undefined && figuresAfter[pair]?.likeness !== undefined,
);
const people = new Map((await readSwapPeople(folders, 2)).map((person) => [person.name, person]));
await mkdir(out, { recursive: true });

const coverings = new Map<SwapPerson, Float32Array>();
const guests = new Map<SwapPerson, Float32Array>();
const key: Record<string, { pair: string; A: string; B: string }> = {};
const rows: { pair: string; whole: number; face: number }[] = [];
for (const [n, pair] of pairs.entries()) {
  const number = String(n + 1).padStart(3, '0');
  const isExchanged = Math.random() < 0.5;
  const [left, right] = isExchanged ? [after, before] : [before, after];
  key[number] = { pair, A: left, B: right };
  await writeTiles(number, pair, left, right);
  const [guest, template] = pair.split('>').map((name) => people.get(name)!) as [SwapPerson, SwapPerson];
  const occluder = { ...template, mask: await coveringsOf(guest, template) };
  rows.push({
    pair,
    whole: await change(pair, template, await wholeGuest(guest)),
    face: await change(pair, template, await embed(guest.picture, guest.face, occluder), occluder),
  });
}
await writeFile(join(out, 'key.json'), JSON.stringify(key, null, 1));
await writeFile(join(out, 'likeness.json'), JSON.stringify(rows, null, 1));
report();

async function writeTiles(number: string, pair: string, left: string, right: string): Promise<void> {
  const shown = (folder: string) =>
    sharp(join(folder, cropName(pair)))
      .resize({ width: tile, height: tile, fit: 'contain' })
      .png()
      .toBuffer();
  const labels = `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * tile}" height="30">
    <text x="8" y="22" font-family="sans-serif" font-size="20" fill="#fff">${number} A</text>
    <text x="${tile + 8}" y="22" font-family="sans-serif" font-size="20" fill="#fff">${number} B</text></svg>`;
  await sharp({ create: { width: 2 * tile, height: tile, channels: 3, background: '#111' } })
    .composite([
      { input: await shown(left), left: 0, top: 0 },
      { input: await shown(right), left: tile, top: 0 },
      { input: Buffer.from(labels), left: 0, top: 0 },
    ])
    .png()
    .toFile(join(out, `${number}.png`));
}

/** Where hair or glasses of either are before the face, with a little around them. */
async function coveringsOf(guest: SwapPerson, template: SwapPerson): Promise<Uint8Array> {
  const [one, other] = [await ownCoverings(guest), await ownCoverings(template)];
  const covered = one.map((value, i) => Math.max(value, other[i]!));
  const around = gaussianBlur({ width: likenessSide, height: likenessSide, data: covered }, 1.5);
  return Uint8Array.from(around.data, (value) => (value > 0.08 ? 1 : 0));
}

async function ownCoverings(person: SwapPerson): Promise<Float32Array> {
  const known = coverings.get(person);
  if (known) return known;
  const classes = await classifyFace(person.picture, person.face);
  const places = likenessPlaces(person.face);
  const [hair, things] = [sampleClass(classes, 'hair', places), sampleClass(classes, 'things', places)];
  const covered = hair.map((value, i) => (Math.max(value, things[i]!) > 0.25 ? 1 : 0));
  coverings.set(person, covered);
  return covered;
}

function embed(picture: Picture, face: Face, occluder?: Occluder): Promise<Float32Array> {
  return embedFace(picture, face, { crops: jitteredCrops, ...(occluder && { occluder }) });
}

async function wholeGuest(guest: SwapPerson): Promise<Float32Array> {
  const known = guests.get(guest) ?? (await embed(guest.picture, guest.face));
  guests.set(guest, known);
  return known;
}

/** By how much the second run's result is more like the guest than the first one's. */
async function change(
  pair: string,
  { picture, face }: SwapPerson,
  guest: Float32Array,
  occluder?: Occluder,
): Promise<number> {
  const { left, top } = cropBounds(picture, face);
  const points = face.points.map((value, i) => value - ([left, top, 0][i % 3] ?? 0));
  const [was, is] = await Promise.all(
    [before, after].map(async (folder) => {
      const crop = await readPhoto(join(folder, cropName(pair)));
      return cosineSimilarity(guest, await embed(crop, { ...face, points }, occluder));
    }),
  );
  return is! - was!;
}

function report(): void {
  for (const measure of ['whole', 'face'] as const) {
    const changes = rows.map((row) => row[measure]);
    const mean = changes.reduce((sum, value) => sum + value, 0) / changes.length;
    const worse = changes.filter((value) => value < -0.025).length;
    const better = changes.filter((value) => value > 0.025).length;
    console.log(
      `${measure}: likeness of ${rows.length} pairs changed by ${mean.toFixed(4)} in the mean, ${median(changes).toFixed(4)} in the median; ${better} better and ${worse} worse by more than .025`,
    );
  }
  for (const { pair, whole, face } of rows.toSorted((a, b) => a.face - b.face).slice(0, 12))
    console.log(`${pair}  whole ${whole.toFixed(3)}, face ${face.toFixed(3)}`);
}
