import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface InventoryServer {
  url: string;
  stop(): Promise<void>;
}

/** A ComfyUI that says what it has, and runs nothing. */
export async function inventoryServer(info: object, version = '0.3.64'): Promise<InventoryServer> {
  const server = createServer((request, response) => {
    const body =
      request.url === '/object_info' ? info : { system: { comfyui_version: version }, devices: [] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
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
