/**
 * How well the engine's judge knows which pictures would not be kept, against the grades of a person who looked at each
 * (bench/judge-grades.json: k kept, p only a picky person notices, n not kept). Needs the graded photos, which are not in
 * the repository: name the folders that hold them. BENCH_MODELS names a folder with sam2.
 *
 *   npm run bench:judge -- FOLDER … [--out FILE]
 *
 * Every picture is judged with the limits of the checks as they are, and again with limits that were chosen without any
 * picture of its photo. With --out the measurements are written to a file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checks } from '@guise/engine/judge/judge.ts';
import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import { measureCases, type PictureCase } from '../packages/engine/quality/judged-pictures.ts';
import { median, percent, printTable } from './goals.ts';

interface GradedCase extends PictureCase {
  grade: 'k' | 'p' | 'n';
  classes: string[];
}

interface Measured extends GradedCase {
  measures: Record<string, number>;
}

type Limits = Record<string, number>;

const { values: flags, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' } },
});
if (folders.length === 0) {
  console.error('The graded photos are not in the repository: name the folders that hold them.');
  process.exit(1);
}
const graded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'judge-grades.json'), 'utf8'),
) as GradedCase[];
const outlineModel = await findOptionalModel(process.env.BENCH_MODELS ?? null, sam2);
const pictures: Measured[] = [];
const cpu: number[] = [];
for await (const made of measureCases(graded, folders, outlineModel)) {
  if ('refused' in made) {
    console.log(`${made.name}: refused, ${made.refused}`);
    continue;
  }
  const measures = Object.fromEntries(made.measurements.map(({ check, measure }) => [check, measure]));
  pictures.push({ ...(made.case as GradedCase), measures });
  cpu.push(made.cpuMs);
}
if (flags.out) writeFileSync(flags.out, JSON.stringify(pictures, null, 1));

const names: string[] = checks.map(({ name }) => name);
const builtIn: Limits = Object.fromEntries(checks.map(({ name, limits }) => [name, limits.fair]));
const without = new Map(
  [...new Set(pictures.map(({ photo }) => photo))].map((photo) => [
    photo,
    chooseLimits(pictures.filter((picture) => picture.photo !== photo)),
  ]),
);
const limitsFor = { 'as they are': () => builtIn, 'photo left out': (photo: string) => without.get(photo)! };

for (const [title, limitsOf] of Object.entries(limitsFor)) {
  const flagsOf = ({ photo, measures }: Measured, checked = names) =>
    checked.some((name) => measures[name]! >= limitsOf(photo)[name]!);
  console.log(`\nLimits ${title}:\n`);
  printTable(
    ['found by', 'pictures', 'would not be kept', 'picky only', 'kept', 'precision', 'recall'],
    [...names.map((name) => [name]), names].map((checked) => rowOf(checked, flagsOf)),
  );
  console.log();
  const classes = [...new Set(pictures.flatMap((picture) => picture.classes))].sort();
  printTable(
    ['class', 'pictures', 'found', 'would not be kept', 'found'],
    classes.map((name) => {
      const all = pictures.filter((picture) => picture.classes.includes(name));
      const lost = all.filter(({ grade }) => grade === 'n');
      const count = (some: Measured[]) => String(some.filter((picture) => flagsOf(picture)).length);
      return [name, String(all.length), count(all), String(lost.length), count(lost)];
    }),
  );
}
console.log(`\n${pictures.length} pictures, ${median(cpu).toFixed(0)} ms of CPU each to judge (median)`);

function rowOf(checked: string[], flagsOf: (picture: Measured, checked: string[]) => boolean): string[] {
  const found = pictures.filter((picture) => flagsOf(picture, checked));
  const count = (grade: string, some = found) => some.filter((picture) => picture.grade === grade).length;
  const lost = count('n', pictures);
  return [
    checked.length === 1 ? checked[0]! : 'any of them',
    ...[found.length, count('n'), count('p'), count('k')].map(String),
    found.length === 0 ? '' : percent(count('n') / found.length),
    percent(count('n') / lost),
  ];
}

/** For each check the limit that finds most pictures that would not be kept, each kept one that it finds counting twice. */
function chooseLimits(known: readonly Measured[]): Limits {
  return Object.fromEntries(
    names.map((name) => {
      const values = [...new Set(known.map(({ measures }) => measures[name]!))].sort((a, b) => a - b);
      const worthOf = (limit: number) =>
        known
          .filter(({ measures }) => measures[name]! >= limit)
          .reduce((sum, { grade }) => sum + { n: 1, p: 0, k: -2 }[grade], 0);
      const limits = values.slice(1).map((value, i) => (value + values[i]!) / 2);
      const best = limits.reduce((a, b) => (worthOf(b) > worthOf(a) ? b : a), Infinity);
      return [name, best];
    }),
  );
}
