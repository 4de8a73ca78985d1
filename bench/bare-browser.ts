import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from '../packages/server/test/support/browser.ts';
import { isRoot } from '../packages/server/test/support/debian-packages.ts';

/**
 * A Chromium without Playwright, for measuring memory. Playwright switches on the protocol's Network domain, and with
 * it every renderer keeps the bodies of requests and answers, up to 100 MB of them, in case somebody asks for them.
 */
export interface BareBrowser {
  /** A command of the DevTools protocol, to the browser or to a target that is attached to. */
  // biome-ignore lint/suspicious/noExplicitAny: what a bench reads of an answer is what it asked for.
  send(method: string, params?: object, sessionId?: string): Promise<any>;
  /** The session of the first target of this type. */
  attach(type: 'page' | 'service_worker'): Promise<string>;
  close(): Promise<void>;
}

export async function startBareBrowser(args: readonly string[]): Promise<BareBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'guise-browser-'));
  const browser = spawn(
    await findChromium(),
    [
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      ...(isRoot() ? ['--no-sandbox'] : []),
      ...args,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const socket = new WebSocket(await debuggerAddress(browser.stderr));
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error) waiter?.reject(new Error(error.message));
    else waiter?.resolve(result);
  });
  let sent = 0;
  const send: BareBrowser['send'] = (method, params = {}, sessionId = undefined) => {
    const waiter = Promise.withResolvers<unknown>();
    waiting.set(++sent, waiter);
    socket.send(JSON.stringify({ id: sent, method, params, sessionId }));
    return waiter.promise;
  };
  return {
    send,
    async attach(type) {
      const { targetInfos } = await send('Target.getTargets');
      const target = targetInfos.find((info: { type: string }) => info.type === type);
      if (!target) throw new Error(`the browser has no ${type}`);
      const params = { targetId: target.targetId, flatten: true };
      return (await send('Target.attachToTarget', params)).sessionId;
    },
    async close() {
      // Not a signal: what was started may be a script that has started Chromium. The answer may not come any more.
      const ended = once(browser, 'exit');
      void send('Browser.close');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Chromium writes it when it is ready. */
async function debuggerAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) {
      output.resume();
      return address;
    }
  }
  throw new Error('Chromium did not start.');
}
