import { familyTitles } from '@guise/contract/families/family-titles.ts';
import type { JobListEntry, JobState } from '@guise/contract/jobs.ts';
import { shortId } from '../../ui/short-id.ts';

/** A job that somebody cancelled is FAILED on the wire; people are told it apart from one that could not be made. */
export type ShownState = JobState | 'cancelled';

/** The state behind a status word. Some families say IN_QUEUE until they are done: what has progress runs. */
export function stateOf({
  status,
  progress,
  cancelled,
}: Pick<JobListEntry, 'status' | 'progress' | 'cancelled'>): ShownState {
  if (status === 'COMPLETED') return 'completed';
  if (status === 'FAILED') return cancelled ? 'cancelled' : 'failed';
  return status === 'PROCESSING' || status === 'IN_PROGRESS' || status === 'RUNNING' || progress > 0
    ? 'running'
    : 'queued';
}

export const hasEnded = (job: JobListEntry) => job.status === 'COMPLETED' || job.status === 'FAILED';

export const stateWords: Record<ShownState, string> = {
  queued: 'Waiting',
  running: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** What a family is called; a former one by the name it had. */
export function familyTitle(family: string): string {
  return (familyTitles as Record<string, string>)[family] ?? family;
}

/** What a job is called: its filter, or what it makes where it has none. */
export function jobTitle(job: Pick<JobListEntry, 'filter_name' | 'filter' | 'family'>): string {
  return job.filter_name ?? (job.filter === null ? familyTitle(job.family) : `Filter ${shortId(job.filter)}`);
}

const people = ['Man', 'Woman', 'Boy', 'Girl', 'Group'];
const paramNames: Record<string, string> = {
  gender: 'Who',
  ratio: 'Shape',
  quality_mode: 'Quality',
  outpaint: 'Extended photo',
  duration: 'Length',
  aspect_ratio: 'Format',
  webhook_url: 'Webhook address',
};

/** A parameter of a run in words. */
export function paramInWords(name: string, value: unknown): { label: string; text: string } {
  const label = paramNames[name] ?? capital(name.replaceAll('_', ' '));
  if (name === 'gender') return { label, text: people[Number(value)] ?? String(value) };
  if (name === 'duration') return { label, text: String(value).replace(/s$/, ' s') };
  if (typeof value === 'boolean') return { label, text: value ? 'Yes' : 'No' };
  if (name === 'ratio' || name === 'model' || value === 'auto')
    return { label, text: capital(String(value)) };
  return { label, text: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** The filter has a line of its own. */
export const filterParams: readonly string[] = ['filter_id', 'style_id'];

const stageNames: Record<string, string> = {
  matte: 'Cutting people out',
  'cut out': 'Cutting people out, edges',
  outlines: 'Outlines of people',
  faces: 'Finding faces',
  plate: 'Background',
  place: 'Placing people',
  light: 'Light',
  look: 'Style',
  swap: 'Face swap',
  outpaint: 'Extending the photo',
  finish: 'Finish',
  frames: 'Frames',
  decode: 'Reading photos',
  encode: 'Writing the file',
};

export const stageInWords = (stage: string) => stageNames[stage] ?? capital(stage.replaceAll('_', ' '));

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** From acceptance to the end. */
export function tookMs(job: Pick<JobListEntry, 'created_at' | 'finished_at'>): number | null {
  return job.finished_at === null ? null : Date.parse(job.finished_at) - Date.parse(job.created_at);
}

export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What a job came to: the credits of one that failed or was cancelled were returned. */
export const creditsOf = ({ status, credits }: Pick<JobListEntry, 'status' | 'credits'>) =>
  status === 'FAILED' ? `${countOf(credits, 'credit')}, returned` : countOf(credits, 'credit');
