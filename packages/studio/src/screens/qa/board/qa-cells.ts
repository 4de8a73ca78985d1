import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import { jobSentence } from '../../../ui/job-sentence.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';

/** A photo with its cells, in the order of the run's versions. */
export interface QaRow {
  photo: QaCell['photo'];
  cells: QaCell[];
}

export const isUnfinished = ({ status }: QaCell): boolean => status === 'QUEUED' || status === 'RUNNING';

/** Photos down, versions across. */
export function rowsOf({ cells, versions }: Pick<QaRun, 'cells' | 'versions'>): QaRow[] {
  const rows = new Map<string, QaRow>();
  for (const cell of cells) {
    const row = rows.get(cell.photo.id) ?? { photo: cell.photo, cells: [] };
    row.cells.push(cell);
    rows.set(cell.photo.id, row);
  }
  const across = (a: QaCell, b: QaCell) => versions.indexOf(a.version) - versions.indexOf(b.version);
  return [...rows.values()].map((row) => ({ ...row, cells: row.cells.sort(across) }));
}

/** Why a picture that is shown came out fair; null where it did not. */
export const fairReasons = ({ quality, thumbnail_url }: QaCell): string[] | null =>
  quality?.grade === 'fair' && thumbnail_url !== null ? quality.reasons : null;

export const isFair = (cell: QaCell): boolean => fairReasons(cell) !== null;

/** Which photos the board shows, and in what order: by the fair pictures that were made of them. */
export type FairOrder = 'all' | 'first' | 'only';

export function orderRows(rows: readonly QaRow[], order: FairOrder): readonly QaRow[] {
  if (order === 'all') return rows;
  const [fair, others] = [rows.filter(hasFair), rows.filter((row) => !hasFair(row))];
  return order === 'only' ? fair : [...fair, ...others];
}

const hasFair = ({ cells }: QaRow): boolean => cells.some(isFair);

export interface VerdictCount {
  version: number;
  cells: number;
  good: number;
  bad: number;
  /** Good cells among the judged ones; null before the first verdict. */
  rate: number | null;
}

/** Counted here and not read from the server: a verdict shows at once. */
export function countVerdicts(cells: readonly QaCell[], version: number): VerdictCount {
  const ofVersion = cells.filter((cell) => cell.version === version);
  const good = ofVersion.filter(({ verdict }) => verdict === 'good').length;
  const bad = ofVersion.filter(({ verdict }) => verdict === 'bad').length;
  const rate = good + bad === 0 ? null : good / (good + bad);
  return { version, cells: ofVersion.length, good, bad, rate };
}

export type BoardStep = 'left' | 'right' | 'up' | 'down';

/** The cell beside another one; the same where the board ends. */
export function neighbour(rows: readonly QaRow[], cellId: string, step: BoardStep): QaCell | undefined {
  const down = rows.findIndex(({ cells }) => cells.some(({ id }) => id === cellId));
  const across = rows[down]?.cells.findIndex(({ id }) => id === cellId) ?? -1;
  const [dy, dx] = { left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0] }[step] as [number, number];
  return rows[down + dy]?.cells[across + dx] ?? rows[down]?.cells[across];
}

const steps: Record<string, BoardStep | undefined> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
export const stepOf = (key: string): BoardStep | undefined => steps[key];

/** What stands where a picture is not there yet, or not any more. */
export function pictureText({ status, progress, error, thumbnail_url }: QaCell): string {
  if (thumbnail_url) return '';
  if (status === 'FAILED') return error ? jobSentence(error) : say('This picture could not be made.');
  if (status === 'RUNNING') return say('Making it {percent}%', { percent: Math.round(progress * 100) });
  return {
    QUEUED: say('Waiting'),
    COMPLETED: say('Done'),
    EXPIRED: say('The picture has been deleted.'),
  }[status];
}

/** All that is written where the picture is: in its place, or on it. */
export function pictureWords(cell: QaCell): string {
  const reasons = fairReasons(cell);
  return reasons ? [say('Fair.'), ...reasons.map(sayOfServer)].join(' ') : pictureText(cell);
}

/** What a cell is called where it is not seen: with all the words that it shows. */
export function cellName(cell: QaCell): string {
  const shown = [pictureWords(cell), cell.note].filter(Boolean).join(' ');
  const state = say(cell.verdict ?? (isUnfinished(cell) ? 'not made yet' : 'not judged'));
  const named = { photo: cell.photo.name, version: cell.version, state };
  return shown
    ? say('{photo}, version {version}, {state}: {words}', { ...named, words: shown })
    : say('{photo}, version {version}, {state}', named);
}
