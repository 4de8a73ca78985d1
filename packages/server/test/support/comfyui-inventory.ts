import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface InventoryServer {
  url: string;
  stop(): Promise<void>;
}

interface Having {
  version?: string;
  /** Memory of its graphics card; without it, it tells of none. */
  vramGb?: number;
  /** Whoever lacks it is refused. */
  authorization?: string;
  /** Where its folders for models are; without it, it tells of none. */
  models?: string;
}

/** A ComfyUI that says what it has, and runs nothing. */
export async function inventoryServer(
  info: object,
  { version = '0.3.64', vramGb, authorization, models }: Having = {},
): Promise<InventoryServer> {
  const devices = vramGb ? [{ name: 'cuda:0 NVIDIA Test', type: 'cuda', vram_total: vramGb * 2 ** 30 }] : [];
  const answers: Record<string, unknown> = {
    '/system_stats': { system: { comfyui_version: version }, devices },
    '/object_info': info,
    ...(models && { '/experiment/models': [{ name: 'vae', folders: [join(models, 'vae')] }] }),
  };
  const server = createServer((request, response) => {
    if (authorization && request.headers.authorization !== authorization)
      return void response.writeHead(401).end();
    const answer = answers[request.url ?? ''];
    if (!answer) return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
