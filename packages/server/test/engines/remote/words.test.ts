import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FamilyName, families, familyOf } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import sharp from 'sharp';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { moodNames } from '../../../src/catalog/filter-options.ts';
import { createPromptWriter, readSharedWords } from '../../../src/catalog/generator-prompt.ts';
import { ownFiltersFile } from '../../../src/catalog/own-catalog.ts';
import { referenceWorkflows } from '../../../src/engines/comfyui/setup/choose-workflows.ts';
import { bind, notesOf } from '../../../src/engines/workflow/bind.ts';
import { shapeOf } from '../../../src/engines/workflow/picture-shape.ts';
import type { NamedWorkflow } from '../../../src/engines/workflow/workflow-file.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { comfyuiPlan, directRun, pictureWorkflow, remoteEngines } from '../../support/remote.ts';

const catalog = loadCatalog(ownFiltersFile);
const write = createPromptWriter([], catalog);
/** Those that make pictures of numbered filters. */
const workflows = referenceWorkflows().filter(
  ({ file }) => !file.kinds && file.definition.bindings.photos.length === 1,
);

interface Case {
  family: FamilyName;
  filterRef: string;
  filter: FilterDefinition;
  gender: number | undefined;
}

/** Every numbered filter in every family that takes it, for everybody that the family tells apart. */
const cases: Case[] = families.flatMap(({ name, filter, mode, output }) =>
  // No server makes loops.
  filter === null || output === 'loop'
    ? []
    : catalog.list(filter.catalog).flatMap(({ id, definition }) =>
        (mode === 'group' ? [undefined] : [0, 1, 2, 3, 4]).map((gender) => ({
          family: name,
          filterRef: String(id),
          filter: definition,
          gender,
        })),
      ),
);

const serving = ({ family }: Case) => workflows.filter(({ file }) => file.families.includes(family));

/** The texts that a workflow of this family ends up with: what to make, and what to avoid if it has a place for that. */
async function textsOf(
  { family, filterRef, filter, gender }: Case,
  { file: { definition } }: NamedWorkflow = serving({ family, filterRef, filter, gender })[0]!,
) {
  const params = { outpaint: false, ...(gender !== undefined && { gender, ratio: 'portrait' }) };
  const request = { ...parseRequest(family, params, filter), filterRef, jobId: 'j' };
  const words = await write(request);
  const shape = shapeOf(request, { width: 3, height: 4 });
  const graph = bind(definition, { ...request, words }, shape, { photos: ['a.jpg'], template: null }, 'x');
  const textWith = (word: RegExp) => {
    const place = definition.bindings.texts!.find(({ text }) => word.test(text));
    return place && String(graph[place.node]!.inputs[place.input]);
  };
  return {
    make: textWith(/\{(picture|change)\}/)!,
    avoid: textWith(/\{avoid\}/),
    notes: notesOf(definition, request, shape),
  };
}

test('a workflow without a place for words says that it ignores the filter', async () => {
  const definition = pictureWorkflow();
  delete definition.bindings.texts;
  const request = parseRequest(
    'face_swap_v6',
    { gender: 1, ratio: 'portrait' },
    { kind: 'look', look: 'ink' },
  );
  const { ignored } = notesOf(definition, { ...request, jobId: 'j' }, shapeOf(request, null));
  assert.ok(ignored.some((note) => 'value' in note && note.value === 'the filter'));
});

const lookOf = (filter: FilterDefinition) => ('look' in filter ? filter.look : undefined);

describe('a numbered filter on a GPU', () => {
  test('is described in full, in its own style, for whom it is, in every family', async () => {
    const { looks } = readSharedWords();
    const people = ['a man', 'a woman', 'a boy', 'a girl', 'a group of people'];
    const runs = cases.flatMap((one) => serving(one).map((workflow) => ({ one, workflow })));
    assert.ok(cases.every((one) => serving(one).length > 0));
    for (const { one, workflow } of runs) {
      const { make, avoid, notes } = await textsOf(one, workflow);
      const what = `${workflow.name} ${one.family} ${one.filterRef}: ${make}`;
      assert.ok(make.length > 80 && (avoid === undefined || avoid.length > 20), what);
      assert.doesNotMatch(`${make} ${avoid ?? ''}`, /[{}]|, ,|undefined|\. \.|\.\./, what);
      const look = lookOf(one.filter);
      if (look === undefined) assert.match(make, /a photograph/, what);
      else {
        assert.ok(make.includes(looks[look]!.medium), what);
        assert.doesNotMatch(make, /photoreal|photograph|natural skin/i, what);
      }
      const namesWhom = notes.applied.some((note) => 'value' in note && note.value === 'gender');
      if (one.gender !== undefined && namesWhom) assert.ok(make.includes(people[one.gender]!), what);
      const lost = notes.ignored.filter((note) => !('value' in note && note.value === 'gender'));
      assert.deepEqual(lost, [], what);
    }
  });

  test('differs from every other filter of its catalog', async () => {
    for (const family of ['face_swap_v6', 'multi_swap_v5', 'stylized_multi_swap_v1'] as const) {
      const own = cases.filter((one) => one.family === family && (one.gender ?? 0) === 0);
      const texts = await Promise.all(own.map(async (one) => (await textsOf(one)).make));
      assert.equal(new Set(texts).size, catalog.list(familyOf(family).filter!.catalog).length, family);
    }
  });

  test('has words for every look, light, weather and palette there is', () => {
    const { looks, lights, weathers, palettes } = readSharedWords();
    assert.deepEqual(Object.keys(looks), [...lookNames]);
    assert.deepEqual(Object.keys(lights), moodNames.lights);
    assert.deepEqual(Object.keys(weathers), moodNames.weathers);
    assert.deepEqual(Object.keys(palettes), moodNames.palettes);
  });

  test('that is a look alone leaves place and clothes as they are', async () => {
    const [ink] = cases.filter(({ family }) => family === 'stylized_multi_swap_v1');
    assert.match((await textsOf(ink!)).make, /Leave the place, the clothes and the poses .* an ink drawing/);
  });
});

describe('the words of a job', () => {
  const demand = {
    family: 'face_swap_v6' as const,
    params: { gender: 1 as const },
    filter: { kind: 'scene', scene: 'great-hall', costume: 'royal', light: 'dusk', weather: 'snow' } as const,
    filterRef: null,
    prompt: null,
  };

  test('follow the costume, the light and the weather of a custom scene filter', async () => {
    const { picture, subject } = await write(demand);
    assert.equal(subject, 'a woman as a queen');
    for (const part of ['ermine', 'great hall', 'falling snow', 'dusk'])
      assert.ok(picture.includes(part), part);
    assert.doesNotMatch(picture, /candlelight/);
  });

  test('are those of the prompt where there is one; the look stays', async () => {
    const filter = { kind: 'scene', scene: 'aurora', look: 'ink' } as const;
    const { picture, change, scene } = await write({ ...demand, filter, prompt: 'on the moon' });
    assert.match(picture, /^an ink drawing of a woman, on the moon, looking at the camera, bold brush/);
    assert.equal(change, 'Change the scene and their clothes to this: on the moon.');
    assert.equal(scene, 'on the moon');
  });

  test('of a prompt that a stylizing family is given ask for a drawing', async () => {
    const stylized = {
      ...demand,
      family: 'stylized_multi_swap_self_prompt_v1' as const,
      params: {},
      filter: null,
    };
    assert.match((await write({ ...stylized, prompt: 'pirates' })).style, /^an illustration/);
  });
});

describe('an engine that runs workflows', () => {
  let server: ComfyuiServer;
  const photo = sharp({ create: { width: 60, height: 80, channels: 3, background: '#c08060' } })
    .jpeg()
    .toBuffer();
  before(async () => {
    server = await comfyuiServer();
  });
  after(() => server.stop());

  const promptOf = async (prompt: string | undefined, filter: FilterDefinition) => {
    const workflow = pictureWorkflow();
    const plan = comfyuiPlan([server], { workflows: [workflow], ...(prompt !== undefined && { prompt }) });
    const engines = remoteEngines(plan);
    const run = await directRun(await photo, { filter, filterRef: '12' });
    try {
      await engines[1]!.run(run.request, run.context);
      return server.graphs.get(server.accepted.at(-1)!)!['3']!.inputs!.text;
    } finally {
      await Promise.all([run.clean(), ...engines.map((engine) => engine.close())]);
    }
  };
  const knight = catalog.find('face_swap', 12)!.definition;

  test('sends a numbered filter in the catalog’s words', async () => {
    assert.match(
      String(await promptOf(undefined, knight)),
      /^photo of a woman, wearing plate armour .* great hall .* candlelight/,
    );
  });

  test('sends every numbered filter of every catalog, each with words of its own', async () => {
    const workflow = pictureWorkflow();
    workflow.bindings.texts = [{ node: '3', input: 'text', text: '{picture}' }];
    const engines = remoteEngines(comfyuiPlan([server], { workflows: [workflow] }));
    // What is sent is looked at here: pictures that nobody looks at would take seconds.
    server.faults.raise = { type: 'Exception', message: 'InsightFace: No face detected.' };
    try {
      for (const name of ['face_swap_v6', 'multi_swap_v5', 'stylized_multi_swap_v1'] as const) {
        const { filter, mode } = familyOf(name);
        const params = { outpaint: false, ...(mode === 'single' && { gender: 1, ratio: 'portrait' }) };
        const listed = catalog.list(filter!.catalog);
        const texts = new Set<string>();
        for (const { id, definition } of listed) {
          const fields = { family: name, filter: definition, filterRef: String(id), params };
          const run = await directRun(await photo, fields);
          const sent = server.accepted.length;
          await assert.rejects(engines[1]!.run(run.request, run.context), { code: 'ENGINE_REFUSED' });
          await run.clean();
          assert.equal(server.accepted.length, sent + 1);
          texts.add(String(server.graphs.get(server.accepted.at(-1)!)!['3']!.inputs!.text));
        }
        assert.equal(texts.size, listed.length, name);
        for (const text of texts) assert.ok(text.length > 60 && !/[{}]|, ,|, $/.test(text), text);
      }
    } finally {
      server.behave();
      await Promise.all(engines.map((engine) => engine.close()));
    }
  });

  test('sends the route’s words instead, and a custom prompt instead of both', async () => {
    assert.equal(await promptOf('at a wedding', knight), 'photo of a woman, at a wedding');
    assert.equal(
      await promptOf('at a wedding', { kind: 'prompt', prompt: 'in the jungle' }),
      'photo of a woman, in the jungle',
    );
  });
});
