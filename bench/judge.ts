/**
 * How well the engine's judge knows which pictures would not be kept, against the grades of a person who looked at each
 * (bench/judge-grades.json: k kept, p only a picky person notices, n not kept, and what is wrong). Needs the graded
 * photos, which are not in the repository: name the folders that hold them. BENCH_MODELS names a folder with sam2.
 *
 *   npm run bench:judge -- FOLDER … [--out FILE] [--from FILE]
 *
 * Every picture is judged with the limits of the checks as they are, and again with limits that were chosen without any
 * picture of its photo. Exits with 1 where the second way misses the goals. With --out the measurements are written to a
 * file, from which --from reads them instead of making the pictures.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { limitOf, type Measurement } from '@guise/engine/judge/judge.ts';
import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import { measureCases, nameOfCase, type PictureCase } from '../packages/engine/quality/judged-pictures.ts';
import { percent, printTable } from './goals.ts';

interface GradedCase extends PictureCase {
  grade: 'k' | 'p' | 'n';
  classes: string[];
}

interface Measured extends GradedCase {
  measures: Record<string, number>;
}

type Limits = (check: string) => number;

/** Nothing smaller than this can be seen, in face heights. */
const leastLimit = 0.03;
const goals = { precision: 0.8, recall: 0.85 };
/** Photos of one person in one light say the same: eight expressions of a burst count as one photo. */
const shootOf = ({ photo }: PictureCase) => photo.replace(/^(stock-emotions-a)-\d$/, '$1');

const { values: flags, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, from: { type: 'string' } },
});
if (folders.length === 0 && flags.from === undefined) {
  console.error('The graded photos are not in the repository: name the folders that hold them.');
  process.exit(1);
}
const graded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'judge-grades.json'), 'utf8'),
) as GradedCase[];
const pictures = flags.from ? readMeasured(flags.from) : await measureAll();
if (flags.out) writeFileSync(flags.out, JSON.stringify(pictures, null, 1));

const checks = [
  ...new Set(pictures.flatMap(({ measures }) => Object.keys(measures))),
] as Measurement['check'][];
const shoots = [...new Set(pictures.map(shootOf))];
const without = new Map(
  shoots.map((shoot) => [shoot, chooseLimits(pictures.filter((picture) => shootOf(picture) !== shoot))]),
);
report('as they are', () => (check) => limitOf(check as Measurement['check']));
const { precision, recall } = report('chosen without the photo', (picture) => without.get(shootOf(picture))!);
if (precision < goals.precision || recall < goals.recall) {
  console.log(`\nThe goals are ${percent(goals.precision)} and ${percent(goals.recall)}.`);
  process.exitCode = 1;
}

async function measureAll(): Promise<Measured[]> {
  const outlineModel = await findOptionalModel(process.env.BENCH_MODELS ?? null, sam2);
  const measured: Measured[] = [];
  for await (const made of measureCases(graded, folders, outlineModel)) {
    if ('refused' in made) {
      console.log(`${made.name}: refused, ${made.refused}`);
      continue;
    }
    const measures = Object.fromEntries(made.measurements.map(({ check, measure }) => [check, measure]));
    measured.push({ ...(made.case as GradedCase), measures });
  }
  return measured;
}

/** Measurements of an earlier run, with the grades as they are now. */
function readMeasured(file: string): Measured[] {
  const known = new Map(
    (JSON.parse(readFileSync(file, 'utf8')) as Measured[]).map((one) => [nameOfCase(one), one.measures]),
  );
  return graded.flatMap((one) => {
    const measures = known.get(nameOfCase(one));
    return measures ? [{ ...one, measures }] : [];
  });
}

/**
 * For each check the limit that finds most pictures that would not be kept, against one for each that only a picky
 * person would not keep and two for each other one. Where none is worth it, because only pictures of the photo that is
 * left out show such a fault, a tenth above what was measured on any that would be kept.
 */
function chooseLimits(known: readonly Measured[]): Limits {
  const limits = new Map(checks.map((check): [string, number] => [check, chooseLimit(known, check)]));
  return (check) => limits.get(check)!;
}

function chooseLimit(known: readonly Measured[], check: string): number {
  const seen = known.flatMap(({ grade, measures }) => {
    const measure = measures[check];
    return measure === undefined ? [] : [{ grade, measure }];
  });
  const values = [...new Set(seen.map(({ measure }) => measure))].sort((a, b) => a - b);
  const worthOf = (limit: number) =>
    seen
      .filter(({ measure }) => measure >= limit)
      .reduce((sum, { grade }) => sum + { n: 1, p: -1, k: -2 }[grade], 0);
  const between = values.slice(1).map((value, i) => (value + values[i]!) / 2);
  const best = between.reduce((a, b) => (worthOf(b) > worthOf(a) ? b : a), Infinity);
  if (worthOf(best) > 0) return best;
  const kept = seen.filter(({ grade }) => grade !== 'n').map(({ measure }) => measure);
  return Math.max(1.1 * Math.max(0, ...kept), leastLimit);
}

function report(title: string, limitsFor: (picture: Measured) => Limits) {
  const foundBy = (picture: Measured) => {
    const limits = limitsFor(picture);
    return Object.keys(picture.measures).filter((check) => picture.measures[check]! >= limits(check));
  };
  const found = new Map(pictures.map((picture) => [picture, foundBy(picture)]));
  const rowOf = (name: string, isFound: (picture: Measured) => boolean) => {
    const some = pictures.filter(isFound);
    const count = (grade: string) => some.filter((picture) => picture.grade === grade).length;
    const lost = pictures.filter(({ grade }) => grade === 'n').length;
    const share = some.length === 0 ? '' : percent(count('n') / some.length);
    return [
      name,
      ...[some.length, count('n'), count('p'), count('k')].map(String),
      share,
      percent(count('n') / lost),
    ];
  };
  console.log(`\nLimits ${title}:\n`);
  printTable(
    ['found by', 'pictures', 'would not be kept', 'picky only', 'kept', 'precision', 'recall'],
    [
      ...checks.map((check) => rowOf(check, (picture) => found.get(picture)!.includes(check))),
      rowOf('any of them', (picture) => found.get(picture)!.length > 0),
    ],
  );
  console.log();
  const classes = [...new Set(pictures.flatMap((picture) => picture.classes))].sort();
  printTable(
    ['class', 'pictures', 'found', 'would not be kept', 'found'],
    classes.map((name) => {
      const all = pictures.filter((picture) => picture.classes.includes(name));
      const lost = all.filter(({ grade }) => grade === 'n');
      const count = (some: Measured[]) => String(some.filter((one) => found.get(one)!.length > 0).length);
      return [name, String(all.length), count(all), String(lost.length), count(lost)];
    }),
  );
  console.log();
  const lost = pictures.filter(({ grade }) => grade === 'n');
  const flagged = pictures.filter((picture) => found.get(picture)!.length > 0);
  for (const picture of lost.filter((one) => !flagged.includes(one)))
    console.log(`missed: ${nameOfCase(picture)}`);
  for (const picture of flagged.filter(({ grade }) => grade !== 'n'))
    console.log(
      `called fair, graded ${picture.grade}: ${nameOfCase(picture)} (${found.get(picture)!.join(', ')})`,
    );
  const right = flagged.filter(({ grade }) => grade === 'n').length;
  console.log(`\n${pictures.length} pictures of ${shoots.length} photos`);
  return { precision: right / flagged.length, recall: right / lost.length };
}
