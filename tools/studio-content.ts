/** Ids that the addresses of screens name, by the word in braces. */
export type StudioContent = Record<string, string>;

const filters = [
  {
    name: 'Harbour at dusk',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'a harbour at golden hour, warm light' },
  },
  {
    name: 'Winter knight',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'a knight in a snowy forest' },
  },
  {
    name: 'Watercolour garden party with everybody who came',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'a garden in spring, watercolour' },
  },
  {
    name: 'Stage lights',
    filter_type: 'multi_swap',
    definition: { kind: 'prompt', prompt: 'a concert stage, neon light' },
  },
];

/** Fills the demo account with what an evening leaves behind: filters, aliases, jobs. */
export async function makeStudioContent(url: string, key: string): Promise<StudioContent> {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const path = '/v1/users/me/my-custom-filters';
  const made: { id: string }[] = [];
  for (const filter of filters) made.push(await send('POST', path, filter));
  const { id } = made[0]!;
  for (const [prompt, note] of [
    ['a harbour at golden hour, warm light, oil painting', 'painted'],
    ['a harbour at night, lanterns, oil painting', 'at night, as the client wants it'],
  ]) {
    // Each version shows its own pictures, which are made after it is saved.
    await previewsMade(() => send('GET', path));
    await send('PATCH', `${path}/${id}`, { definition: { kind: 'prompt', prompt }, note });
  }
  await send('POST', '/api/alias/', { ai_filter: id, project: 'Summer tour' });
  await previewsMade(() => send('GET', path));
  const draftFilter = made[1]!.id;
  await send('POST', '/api/alias/', { ai_filter: draftFilter, project: 'Winter market' });
  await send('POST', `${path}/${draftFilter}/drafts`, {
    definition: { kind: 'prompt', prompt: 'a knight in a snowy forest, oil painting, confetti' },
    note: 'painted',
  });
  const content = {
    filter: id,
    draft_filter: draftFilter,
    ...(await makeQaRun(send, id)),
    ...(await makeQuickTestLinks(send, id)),
  };
  const { jobs } = await send<{ jobs: { id: string }[] }>('GET', '/v1/jobs?state=completed&limit=1');
  return { ...content, job: jobs[0]?.id ?? '' };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Send = (method: string, path: string, body?: unknown) => Promise<any>;

/** Two versions over the sample photos, partly judged, and a run of one version that nobody has judged. */
async function makeQaRun(send: Send, filterId: string): Promise<StudioContent> {
  const [set] = (await send('GET', '/v1/photo_sets')).photo_sets;
  const wanted = { filter_id: filterId, photo_set_id: set.id };
  await send('POST', '/v1/qa_runs', wanted);
  const { id } = await send('POST', '/v1/qa_runs', { ...wanted, versions: [2, 3] });
  for (let tries = 0; tries < 240; tries++) {
    const { cells } = (await send('GET', `/v1/qa_runs/${id}`)) as { cells: { status: string }[] };
    if (cells.every(({ status }) => status === 'COMPLETED' || status === 'FAILED')) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const { cells } = (await send('GET', `/v1/qa_runs/${id}`)) as { cells: { id: string }[] };
  const judge = (at: number, body: unknown) =>
    send('PATCH', `/v1/qa_runs/${id}/cells/${cells[at]?.id}`, body);
  await judge(0, { verdict: 'bad', note: 'The lanterns are too bright for the logo' });
  await judge(1, { verdict: 'good' });
  await judge(3, { verdict: 'good', note: 'Take this one for the poster' });
  return { qa_run: id };
}

async function makeQuickTestLinks(send: Send, filterId: string): Promise<StudioContent> {
  const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const { url } = await send('POST', '/v1/quick_test_links', {
    filter_id: filterId,
    name: 'Lakeside hotel',
    runs: 40,
    expires_at,
  });
  return { quick_test: new URL(url).pathname };
}

async function previewsMade(list: () => Promise<{ preview_images: string[] }[]>): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if ((await list()).every(({ preview_images }) => preview_images.length > 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
