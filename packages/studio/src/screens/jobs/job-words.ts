import { familyTitles } from '@guise/contract/families/family-titles.ts';
import type { JobListEntry, JobState } from '@guise/contract/jobs.ts';
import { creditsText } from '../../ui/credits-text.ts';
import { shortId } from '../../ui/short-id.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

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
  queued: say('Waiting'),
  running: say('Running'),
  completed: say('Done'),
  failed: say('Failed'),
  cancelled: say('Cancelled'),
};

/** What a family is called; a former one by the name it had. */
export function familyTitle(family: string): string {
  return isFamily(family) ? say(familyTitles[family]) : family;
}

const isFamily = (family: string): family is keyof typeof familyTitles => Object.hasOwn(familyTitles, family);

/** What a job is called: its filter, or what it makes where it has none. */
export function jobTitle(job: Pick<JobListEntry, 'filter_name' | 'filter' | 'family'>): string {
  return (
    job.filter_name ??
    (job.filter === null ? familyTitle(job.family) : say('Filter {id}', { id: shortId(job.filter) }))
  );
}

const people = [say('Man'), say('Woman'), say('Boy'), say('Girl'), say('Group')];
const paramNames: Record<string, string> = {
  gender: say('Who'),
  ratio: say('Shape'),
  quality_mode: say('Quality'),
  outpaint: say('Extended photo'),
  duration: say('Length'),
  aspect_ratio: say('Format'),
  webhook_url: say('Webhook address'),
  prompt: say('Prompt'),
  model: say('Model'),
  seed: say('Seed'),
  overlay: say('Overlay'),
  stylized: say('Stylized'),
  seconds: say('Seconds'),
  loop: say('Loop'),
  format: say('Format'),
};
const choices: Record<string, string> = {
  portrait: say('Portrait'),
  landscape: say('Landscape'),
  square: say('Square'),
  simple: say('Simple'),
  advanced: say('Advanced'),
  performance: say('Performance'),
  auto: say('Auto'),
};

/** A parameter of a run in words. */
export function paramInWords(name: string, value: unknown): { label: string; text: string } {
  const label = paramNames[name] ?? capital(name.replaceAll('_', ' '));
  if (name === 'gender') return { label, text: people[Number(value)] ?? String(value) };
  if (name === 'duration') return { label, text: String(value).replace(/s$/, ' s') };
  if (typeof value === 'boolean') return { label, text: value ? say('Yes') : say('No') };
  if (name === 'ratio' || name === 'model' || value === 'auto')
    return { label, text: choices[String(value)] ?? capital(String(value)) };
  return { label, text: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** The filter has a line of its own. */
export const filterParams: readonly string[] = ['filter_id', 'style_id'];

const stageNames: Record<string, string> = {
  'earlier attempts': say('Earlier attempts'),
  waiting: say('Waiting'),
  running: say('Running'),
  storing: say('Storing'),
  matte: say('Cutting people out'),
  'cut out': say('Cutting people out, edges'),
  outlines: say('Outlines of people'),
  faces: say('Finding faces'),
  plate: say('Background'),
  place: say('Placing people'),
  light: say('Light'),
  look: say('Style'),
  swap: say('Face swap'),
  outpaint: say('Extending the photo'),
  finish: say('Finish'),
  frames: say('Frames'),
  decode: say('Reading photos'),
  encode: say('Writing the file'),
};

export const stageInWords = (stage: string) => stageNames[stage] ?? capital(stage.replaceAll('_', ' '));

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** From acceptance to the end. */
export function tookMs(job: Pick<JobListEntry, 'created_at' | 'finished_at'>): number | null {
  return job.finished_at === null ? null : Date.parse(job.finished_at) - Date.parse(job.created_at);
}

/** What a job came to: the credits of one that failed or was cancelled were returned. */
export function creditsOf({ status, credits }: Pick<JobListEntry, 'status' | 'credits'>): string {
  if (status !== 'FAILED') return creditsText(credits);
  return credits === 1
    ? say('1 credit, returned')
    : say('{count} credits, returned', { count: numberText(credits) });
}
