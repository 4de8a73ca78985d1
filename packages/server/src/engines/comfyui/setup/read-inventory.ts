import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { type Upstream, UpstreamError, upstream } from '../../upstream.ts';
import { ObjectInfo } from '../../workflow/object-info.ts';
import { remedyOf } from '../remedy.ts';

/** What a ComfyUI server says that it has. */
export interface Inventory {
  /** Such as 0.3.64; null where the server does not say. */
  version: string | null;
  /** Its nodes; the choices of their loaders are the files in its folders. */
  info: ObjectInfo;
}

/** The same with what is needed to set it up. */
export interface WholeInventory extends Inventory {
  gpu: string;
  /** In GiB; null where the server has no GPU. */
  vramGb: number | null;
  /** Its files with their sizes, by folder, as far as it tells them. */
  files: ReadonlyMap<string, readonly StoredFile[]>;
  /** Where its folders are on its own machine. */
  folders: ReadonlyMap<string, string>;
  /** Whether ComfyUI-Manager is there, which downloads models for it. */
  hasManager: boolean;
}

export interface StoredFile {
  /** With the folders below, as its loaders name it. */
  name: string;
  bytes: number;
}

const SystemStats = z.looseObject({
  system: z.looseObject({ comfyui_version: z.string().optional() }),
  devices: z
    .array(z.looseObject({ name: z.string(), type: z.string(), vram_total: z.number() }))
    .catch([])
    .default([]),
});
const Files = z.array(z.looseObject({ name: z.string(), size: z.number() }));
const Folders = z.array(z.looseObject({ name: z.string(), folders: z.array(z.string()) }));

const limitMs = 30_000;

export async function readInventory(url: string, headers: Record<string, string>): Promise<Inventory> {
  return withServer(url, headers, async (server, signal) => {
    const { version, info } = await readNodes(server, signal);
    return { version, info };
  });
}

/** Reads the files of these folders, too. */
export async function readWholeInventory(
  url: string,
  headers: Record<string, string>,
  folderNames: readonly string[],
): Promise<WholeInventory> {
  return withServer(url, headers, async (server, signal) => {
    const { version, info, device } = await readNodes(server, signal);
    // Servers before 0.3.45 or so, and some proxies, do not have these.
    const tell = <T>(schema: z.ZodType<T>, path: string) =>
      server.json(schema, { path, signal }).catch(() => null);
    const folders = (await tell(Folders, '/experiment/models')) ?? [];
    const files = await Promise.all(
      folderNames.map(async (name) => {
        const found = (await tell(Files, `/experiment/models/${encodeURIComponent(name)}`)) ?? [];
        return [name, found.map((file) => ({ name: file.name, bytes: file.size }))] as const;
      }),
    );
    const manager = await server.answer({ path: '/manager/version', signal }).catch(() => null);
    const isGpu = device !== undefined && device.type !== 'cpu';
    return {
      version,
      info,
      gpu: device?.name ?? 'unknown',
      vramGb: isGpu ? Math.round((device.vram_total / 2 ** 30) * 10) / 10 : null,
      files: new Map(files),
      folders: new Map(folders.flatMap(({ name, folders: [first] }) => (first ? [[name, first]] : []))),
      hasManager: manager?.status === 200,
    };
  });
}

async function readNodes(server: Upstream, signal: AbortSignal) {
  const { system, devices } = await server.json(SystemStats, { path: '/system_stats', signal });
  const info = await server.json(ObjectInfo, { path: '/object_info', signal });
  return { version: system.comfyui_version ?? null, info, device: devices[0] };
}

async function withServer<T>(
  url: string,
  headers: Record<string, string>,
  read: (server: Upstream, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const server = upstream(url, headers);
  try {
    return await read(server, AbortSignal.timeout(limitMs));
  } catch (cause) {
    throw new AppError(
      'USAGE',
      `${url} does not answer as a ComfyUI server does: ${remedyOf(cause)}${said(cause)}.`,
      { cause },
    );
  } finally {
    await server.close();
  }
}

const said = (cause: unknown) => (cause instanceof UpstreamError ? ` (${cause.message})` : '');
