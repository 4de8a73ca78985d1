/**
 * How well the engine's judge knows which pictures would not be kept, against the grades of a person who looked at each
 * (bench/judge-grades.json: k kept, p only a picky person notices, n not kept, and what is wrong). Needs the graded
 * photos, which are not in the repository: name the folders that hold them. BENCH_MODELS names a folder with sam2.
 *
 *   npm run bench:judge -- FOLDER … [--out FILE] [--from FILE] [--fit]
 *
 * Every picture is judged with the weights as they are, and again with weights that were fitted without any picture of
 * its photo. Exits with 1 where the second way misses the goals. With --out the measurements are written to a file, from
 * which --from reads them instead of making the pictures. --fit writes weights fitted to all pictures into the engine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RiskModel } from '@guise/engine/judge/check.ts';
import {
  certainChecks,
  checks,
  faceChecks,
  fairRisk,
  headChecks,
  limitOf,
} from '@guise/engine/judge/judge.ts';
import { boundEnlargement, mostRisk } from '@guise/engine/judge/ladder.ts';
import { type RatedMeasure, rateMeasure, riskOf } from '@guise/engine/judge/risk.ts';
import { riskWeights } from '@guise/engine/judge/risk-weights.ts';
import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import { measureCases, nameOfCase, type PictureCase } from '../packages/engine/quality/judged-pictures.ts';
import { fitRisk } from './fit-risk.ts';
import { percent, printTable } from './goals.ts';

interface GradedCase extends PictureCase {
  grade: 'k' | 'p' | 'n';
  classes: string[];
}

type CheckName = Parameters<typeof limitOf>[0];

interface Measured extends GradedCase {
  measures: Partial<Record<CheckName, number>>;
}

const goals = { precision: 0.8, recall: 0.85, keptOfDelivered: 0.92, refusedOfKeepable: 0.08 };

/** Photos of one person in one light say the same: eight expressions of a burst count as one photo. */
const shootOf = ({ photo }: PictureCase) => photo.replace(/^(stock-emotions-a)-\d$/, '$1');

/** Of each kind of picture the checks that are combined: those that are certain by themselves decide alone. */
const kinds: CheckName[][] = [checks, faceChecks, headChecks].map((some) =>
  some.map(({ name }) => name as CheckName).filter((name) => !certainChecks.includes(name)),
);

const { values: flags, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    from: { type: 'string' },
    fit: { type: 'boolean', default: false },
  },
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

const shoots = [...new Set(pictures.map(shootOf))];
const without = new Map(
  shoots.map((shoot) => [shoot, fitModels(pictures.filter((picture) => shootOf(picture) !== shoot))]),
);
report('as they are', () => riskWeights);
const isReached = report('fitted without the photo', (picture) => without.get(shootOf(picture))!);
if (flags.fit) writeWeights(fitModels(pictures));
if (!isReached) {
  console.log(
    `\nThe goals are a precision of ${percent(goals.precision)}, a recall of ${percent(goals.recall)}, ${percent(goals.keptOfDelivered)} of those delivered kept and at most ${percent(goals.refusedOfKeepable)} of the keepable refused.`,
  );
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

/** Weights for each kind of picture; those that are known stay where nothing was measured. */
function fitModels(known: readonly Measured[]): RiskModel[] {
  return kinds.map((names, kind) => {
    const some = known.filter(({ measures }) => names.some((name) => name in measures));
    if (some.length === 0) return riskWeights[kind]!;
    const rows = some.map(({ measures }) =>
      names.map((name) => rateMeasure({ measure: measures[name] ?? 0, limit: limitOf(name) })),
    );
    const { bias, weights } = fitRisk(
      rows,
      some.map(({ grade }) => grade === 'n'),
    );
    return { bias, weights: Object.fromEntries(names.map((name, i) => [name, weights[i]!])) };
  });
}

/** How sure the judge is that a picture would not be kept; what is certain counts as 1. */
function judge(
  { measures }: Measured,
  models: readonly RiskModel[],
  bound = (one: RatedMeasure) => one,
): number {
  const rated = (Object.entries(measures) as [CheckName, number][]).map(([check, measure]) =>
    bound({ check, measure, limit: limitOf(check) }),
  );
  const isCertain = rated.some(
    ({ check, measure, limit }) => certainChecks.includes(check) && measure >= limit,
  );
  return isCertain ? 1 : riskOf(rated, models);
}

/** Prints what the judge finds, and says whether the goals are reached. */
function report(title: string, modelsFor: (picture: Measured) => readonly RiskModel[]): boolean {
  const risks = new Map(pictures.map((picture) => [picture, judge(picture, modelsFor(picture))]));
  const isFound = (picture: Measured) => risks.get(picture)! >= fairRisk;
  const lost = pictures.filter(({ grade }) => grade === 'n');
  const found = pictures.filter(isFound);
  const right = found.filter(({ grade }) => grade === 'n').length;
  console.log(`\nWeights ${title}:\n`);
  printRows('pictures of', groupBy(kindOf), isFound);
  printRows(
    'class',
    groupBy(({ classes }) => classes),
    isFound,
  );
  for (const picture of lost.filter((one) => !isFound(one))) console.log(`missed: ${describe(picture)}`);
  for (const picture of found.filter(({ grade }) => grade !== 'n'))
    console.log(`called fair, graded ${picture.grade}: ${describe(picture)}`);
  function describe(picture: Measured): string {
    return `${nameOfCase(picture)} (${percent(risks.get(picture)!)})`;
  }
  const precision = right / found.length;
  const recall = right / lost.length;
  const delivered = pictures.filter(
    (picture) => judge(picture, modelsFor(picture), boundEnlargement) < mostRisk,
  );
  const kept = delivered.filter(({ grade }) => grade !== 'n').length;
  const keepable = pictures.length - lost.length;
  const keptOfDelivered = kept / delivered.length;
  const refusedOfKeepable = (keepable - kept) / keepable;
  console.log(
    `\n${pictures.length} pictures of ${shoots.length} photos, ${lost.length} would not be kept: precision ${percent(precision)}, recall ${percent(recall)}`,
  );
  console.log(
    `as they first come out: ${delivered.length} delivered, of which ${percent(keptOfDelivered)} are kept; of ${keepable} keepable ones ${percent(refusedOfKeepable)} refused`,
  );
  return (
    precision >= goals.precision &&
    recall >= goals.recall &&
    keptOfDelivered >= goals.keptOfDelivered &&
    refusedOfKeepable <= goals.refusedOfKeepable
  );
}

function kindOf({ template, gender, measures }: Measured): string[] {
  if (template) return ['templates'];
  if (Object.keys(measures).length === 0) return ['looks'];
  if (headChecks.some(({ name }) => name in measures)) return ['costumes'];
  return [gender === undefined || gender === 4 ? 'groups in scenes' : 'one guest in a scene'];
}

function groupBy(namesOf: (picture: Measured) => string[]): [string, Measured[]][] {
  const names = [...new Set(pictures.flatMap(namesOf))].sort();
  return names.map((name) => [name, pictures.filter((picture) => namesOf(picture).includes(name))]);
}

function printRows(
  title: string,
  groups: readonly [string, readonly Measured[]][],
  isFound: (picture: Measured) => boolean,
): void {
  const count = (some: readonly Measured[], grade: string) =>
    some.filter((picture) => picture.grade === grade).length;
  printTable(
    [
      title,
      'pictures',
      'called fair',
      'of these not kept',
      'picky only',
      'kept',
      'not kept',
      'of these found',
    ],
    groups.map(([name, all]) => {
      const found = all.filter(isFound);
      const counts = ['n', 'p', 'k'].map((grade) => count(found, grade));
      const lost = count(all, 'n');
      const share = lost === 0 ? '' : percent(counts[0]! / lost);
      return [name, ...[all.length, found.length, ...counts, lost].map(String), share];
    }),
  );
  console.log();
}

function writeWeights(models: readonly RiskModel[]): void {
  const round = (value: number) => Number(value.toFixed(3));
  const lines = models.map(({ bias, weights }) => {
    const entries = Object.entries(weights).filter(([, weight]) => weight! > 0);
    const of = entries.map(([name, weight]) => `'${name}': ${round(weight!)}`);
    return `  { bias: ${round(bias)}, weights: { ${of.join(', ')} } },`;
  });
  const text = `import type { RiskModel } from './check.ts';

/** Of people in scenes, of faces in templates and of heads in costumes. Written by \`npm run bench:judge -- --fit\`. */
export const riskWeights: readonly RiskModel[] = [
${lines.join('\n')}
];
`;
  writeFileSync(join(import.meta.dirname, '../packages/engine/src/judge/risk-weights.ts'), text);
}
