import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '@guise/engine/runtime/child-environment.ts';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import { networkIsolation } from '../../platform.ts';
import { engineBroke } from '../engine.ts';
import { translateRenderError } from '../local/render-errors.ts';

let isolation: readonly string[] | undefined;

/** Runs ffmpeg to its end and gives what it said; it has no network where the system allows that. An abort kills it. */
export async function ffmpeg(
  args: string[],
  signal: AbortSignal,
  input?: AsyncIterable<Uint8Array>,
): Promise<{ ok: boolean; said: string }> {
  const { command } = await findFfmpeg().catch((error) => {
    throw translateRenderError(error);
  });
  isolation ??= networkIsolation();
  const [program, ...words] = [...isolation, command];
  const child = spawn(program!, [...words, '-hide_banner', '-nostdin', '-v', 'info', ...args], {
    stdio: [input ? 'pipe' : 'ignore', 'ignore', 'pipe'],
    env: childEnvironment(),
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const said = text(child.stderr!);
  if (input) void feed(child.stdin!, input);
  try {
    const [code] = await ended;
    return { ok: code === 0, said: await said };
  } catch (cause) {
    signal.throwIfAborted();
    throw engineBroke('Videos cannot be finished on this server: ffmpeg does not start.', cause);
  }
}

async function feed(stdin: NodeJS.WritableStream, input: AsyncIterable<Uint8Array>): Promise<void> {
  // A child that ends early closes its end; its exit code tells.
  stdin.on('error', () => {});
  try {
    for await (const chunk of input) if (!stdin.write(chunk)) await once(stdin, 'drain');
  } catch {
    // Cut short here too.
  }
  stdin.end();
}
