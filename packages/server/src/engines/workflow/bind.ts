import type { AnyParams } from '@guise/contract/families/families.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { Notes } from '@guise/contract/notes.ts';
import type { ChoiceInput, Place, Workflow } from '@guise/contract/workflow.ts';
import type { EngineRequest } from '../engine.ts';
import { seedOf } from '../seed.ts';
import { generatedSize, type Shape } from './picture-shape.ts';

/** A run's photos under the names that the server knows them by. */
export interface Uploaded {
  photos: string[];
  template: string | null;
  /** Of the first photo. */
  face?: string | null;
  frame?: string | null;
}

/** What of a request goes into the graph. */
type Bound = Pick<EngineRequest, 'jobId' | 'filter' | 'prompt' | 'words' | 'isSecondTake'> & {
  params: AnyParams;
};

/** What a text of a binding may name. */
const wordPlaces = /\{(prompt|gender|subject|picture|change|style|avoid)\}/g;
/** Of these, the ones that say what a filter or a prompt asks for. */
const scenePlaces = /\{(prompt|picture|change)\}/;

const genders = ['man', 'woman', 'boy', 'girl', 'group of people'];

/** The graph with everything of this run in it. */
export function bind(
  { workflow, bindings }: WorkflowDefinition,
  request: Bound,
  shape: Shape,
  uploaded: Uploaded,
  prefix: string,
): Workflow {
  const { params, filter, prompt, words } = request;
  const graph = structuredClone(workflow);
  const put = <P extends Place>(places: readonly P[] | undefined, value: (place: P) => unknown) => {
    for (const place of places ?? []) graph[place.node]!.inputs[place.input] = value(place);
  };
  const choose = (value: string | number, word: string | number) => (place: ChoiceInput) =>
    place.values?.[String(value)] ?? word;

  for (const [i, place] of bindings.photos.entries()) put([place], () => uploaded.photos[i]);
  for (const name of ['template', 'face', 'frame'] as const)
    if (uploaded[name]) put(bindings[name], () => uploaded[name]);
  // A caller's own workflow keeps the text that it came with where the run has no prompt.
  const whole = prompt ?? (filter?.kind === 'workflow' ? undefined : words?.picture);
  if (whole !== undefined) put(bindings.prompt, () => whole);
  const gender = genders[params.gender ?? -1] ?? 'person';
  for (const { text, ...place } of bindings.texts ?? []) {
    const known: Record<string, string | undefined> = { ...words, prompt: prompt ?? words?.scene, gender };
    // One pass: a prompt that holds the word {gender} is left alone.
    put([place], () => text.replaceAll(wordPlaces, (_, name) => known[name] ?? ''));
  }
  if (params.gender !== undefined) put(bindings.gender, choose(params.gender, gender));
  if (params.ratio !== undefined) put(bindings.ratio, choose(params.ratio, params.ratio));
  if (params.model !== undefined) put(bindings.model, choose(params.model, params.model));
  if (params.quality_mode !== undefined)
    put(bindings.quality_mode, choose(params.quality_mode, params.quality_mode));
  if (params.outpaint !== undefined) put(bindings.outpaint, () => params.outpaint);
  put(bindings.seed, () => params.seed ?? seedOf(request));
  if (bindings.size) {
    const { width, height } = generatedSize(shape, bindings.size.megapixels, bindings.size.multiple);
    put(bindings.size.width, () => width);
    put(bindings.size.height, () => height);
  }
  put(bindings.canvas?.width, () => shape.width);
  put(bindings.canvas?.height, () => shape.height);
  const seconds = shape.seconds;
  if (seconds !== null) {
    put(bindings.duration, () => seconds);
    for (const { fps, plus, most = Number.POSITIVE_INFINITY, ...place } of bindings.frames ?? [])
      put([place], () => Math.min(Math.round(seconds * fps) + plus, most));
  }
  graph[bindings.output]!.inputs.filename_prefix = prefix;
  return graph;
}

/** What of the request the graph has a place for, and what not. */
export function notesOf(
  { bindings }: WorkflowDefinition,
  { params, filter, prompt }: Bound,
  shape: Shape,
): Notes {
  const { seed, outpaint, gender } = params;
  const takesText = (places: RegExp) => bindings.texts?.some(({ text }) => places.test(text)) ?? false;
  const takesScene = bindings.prompt !== undefined || takesText(scenePlaces);
  const inputs: { value: string; asked: boolean; bound: boolean }[] = [
    {
      value: 'the prompt',
      asked: prompt !== null,
      bound: takesScene,
    },
    {
      value: 'the filter',
      // That a filter was followed goes without saying.
      asked: prompt === null && (filter?.kind === 'scene' || filter?.kind === 'look') && !takesScene,
      bound: takesScene,
    },
    { value: 'seed', asked: seed !== undefined, bound: bindings.seed !== undefined },
    { value: 'outpaint', asked: outpaint === true, bound: bindings.outpaint !== undefined },
    {
      value: 'duration',
      asked: shape.seconds !== null,
      bound: (bindings.duration ?? bindings.frames) !== undefined,
    },
    { value: 'the template', asked: filter?.kind === 'template', bound: bindings.template !== undefined },
    {
      value: 'gender',
      asked: gender !== undefined,
      bound: bindings.gender !== undefined || takesText(/\{(gender|subject|picture)\}/),
    },
  ];
  const asked = inputs.filter((input) => input.asked);
  const reason = 'the workflow of this filter does not take it';
  return {
    applied: asked.filter(({ bound }) => bound).map(({ value }) => ({ kind: 'input', value })),
    ignored: asked.filter(({ bound }) => !bound).map(({ value }) => ({ kind: 'input', value, reason })),
  };
}
