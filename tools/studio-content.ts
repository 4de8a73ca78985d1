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
  return { filter: id };
}

async function previewsMade(list: () => Promise<{ preview_images: string[] }[]>): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if ((await list()).every(({ preview_images }) => preview_images.length > 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
