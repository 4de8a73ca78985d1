import type { ReadSecret } from '../../engine-kind.ts';
import { type Access, accessHeaders } from '../access.ts';
import { enginesFileFor } from './engines-file-for.ts';
import { fileNames } from './locate-files.ts';
import { modelFolders, type ServerToSetUp, type SetupProposal } from './propose-setup.ts';
import { readWholeInventory } from './read-inventory.ts';

/** Asks servers for everything that a proposal needs. Rejects where one of them does not answer. */
export const askServers = (
  servers: readonly { url: string; access: Access }[],
  readSecret: ReadSecret,
): Promise<ServerToSetUp[]> =>
  Promise.all(
    servers.map(async ({ url, access }) => {
      const headers = accessHeaders(access, readSecret);
      return { url, access, inventory: await readWholeInventory(url, headers, modelFolders()) };
    }),
  );

interface FileOptions {
  /** What the servers are called in the file. */
  engine: string;
  fallback: boolean;
  gpuHourPrice?: number | undefined;
}

/** The engines file with what a proposal says can be made now. */
export const fileForProposal = (
  { servers, choice }: SetupProposal,
  { engine, fallback, gpuHourPrice }: FileOptions,
  existing: unknown,
): Record<string, unknown> =>
  enginesFileFor(
    {
      engine,
      servers: servers.map(({ server: { url, access }, located }) => ({
        url,
        access,
        files: fileNames(new Map(located.map((one) => [one.file, one]))),
        gpuHourPrice,
      })),
      routes: choice.routes,
      info: servers[0]!.server.inventory.info,
      fallback,
    },
    existing,
  );
