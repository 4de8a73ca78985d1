import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { UpstreamError, upstream } from '../../upstream.ts';
import { ObjectInfo } from '../../workflow/object-info.ts';
import { remedyOf } from '../remedy.ts';

/** What a ComfyUI server says that it has. */
export interface Inventory {
  /** Such as 0.3.64; null where the server does not say. */
  version: string | null;
  /** Its nodes; the choices of their loaders are the files in its folders. */
  info: ObjectInfo;
}

const SystemStats = z.looseObject({
  system: z.looseObject({ comfyui_version: z.string().optional() }),
});

const limitMs = 30_000;

export async function readInventory(url: string, headers: Record<string, string>): Promise<Inventory> {
  const server = upstream(url, headers);
  const signal = AbortSignal.timeout(limitMs);
  try {
    const { system } = await server.json(SystemStats, { path: '/system_stats', signal });
    const info = await server.json(ObjectInfo, { path: '/object_info', signal });
    return { version: system.comfyui_version ?? null, info };
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
