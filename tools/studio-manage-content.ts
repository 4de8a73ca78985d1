import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Guise } from '../packages/client/src/guise.ts';

const photo = readFileSync(new URL('../catalog/samples/astronaut.jpg', import.meta.url)).toString('base64');

/** Fills the account with aliases, keys, webhooks and other accounts, as a season of events leaves them. */
export async function makeManagedContent(url: string, key: string): Promise<void> {
  const guise = new Guise({ baseUrl: url, apiKey: key });
  await makeAliases(guise);
  const [entrance] = await makeKeys(guise);
  await makeDeliveries(guise, new Guise({ baseUrl: url, apiKey: entrance! }));
}

async function makeAliases(guise: Guise): Promise<void> {
  const filters = await guise.catalogs.custom();
  const ones = filters.filter(({ filter_type }) => filter_type === 'face_swap').map(({ id }) => id);
  const groups = filters.filter(({ filter_type }) => filter_type === 'multi_swap').map(({ id }) => id);
  const slots = [
    { project: 'Summer tour', has: ones, safe: ones[0] },
    { project: 'Summer tour', has: ones.slice(1, 3), safe: ones[0] },
    { project: 'Summer tour', has: groups, safe: groups[0] },
    { project: 'Winter gala', has: ones.slice(-1) },
    { project: 'Winter gala', has: ones.slice(0, 2), safe: ones[1] },
  ];
  for (const { project, has, safe } of slots) {
    const [first, ...others] = has;
    const { id } = await guise.aliases.create({ ai_filter: first!, project });
    for (const ai_filter of others) await guise.aliases.change(id, { ai_filter });
    if (safe) await guise.aliases.change(id, { safe_filter: safe });
  }
}

async function makeKeys(guise: Guise): Promise<string[]> {
  const month = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const keys = [
    { name: 'Booth at the entrance', scopes: ['run' as const], budget: 60 },
    { name: 'Booth by the stage', scopes: ['run' as const], budget: 500, expires_at: month },
    { name: 'Nightly report', scopes: ['read' as const] },
    { name: 'Rented booth of last year', scopes: ['run' as const], budget: 100 },
  ];
  const made = [];
  for (const wanted of keys) made.push(await guise.keys.create(wanted));
  await guise.keys.revoke(made.at(-1)!.id);
  return made.map(({ secret }) => secret);
}

/** Jobs whose ends are told to a receiver that takes most of them. The server must allow private URLs. */
async function makeDeliveries(guise: Guise, booth: Guise): Promise<void> {
  const receiver = createServer((request, response) => {
    response.statusCode = request.url === '/old-booth' ? 404 : 204;
    response.end();
  });
  receiver.listen(0, '127.0.0.1').unref();
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  for (const path of ['guise', 'guise', 'old-booth']) {
    const body = { base64: photo, filter_id: 1, gender: 1, ratio: 'portrait' };
    await booth.submitBody('face_swap_v6', { ...body, webhook_url: `http://127.0.0.1:${port}/${path}` });
  }
  for (let tries = 0; tries < 240; tries++) {
    const { webhook_deliveries } = await guise.webhooks.deliveries();
    if (webhook_deliveries.filter(({ attempts }) => attempts > 0).length === 3) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
