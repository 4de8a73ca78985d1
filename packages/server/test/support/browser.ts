import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { installFromDebian, isRoot } from './debian-packages.ts';

/** It takes a seventh of the processor time of a Chromium with windows, which has a toolbar to draw. */
const headlessShell = 'chromium-headless-shell';
const withWindows = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const remedy =
  'Install Chromium (Debian: apt-get install chromium), or set GUISE_TEST_CHROMIUM to the path of a Chromium or Chrome.';

/**
 * The browser that tests run in: the one named by GUISE_TEST_CHROMIUM, else Debian's headless shell, which is installed
 * when we may, else a Chromium or Chrome on the PATH. Never none: a test in a browser that does not run would prove
 * nothing.
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = env.GUISE_TEST_CHROMIUM;
  if (named) {
    if (await canRun(named)) return named;
    throw new Error(`GUISE_TEST_CHROMIUM names ${named}, which cannot be run. ${remedy}`);
  }
  const shell = await onPath([headlessShell], env);
  if (shell) return shell;
  const why = await installFromDebian([headlessShell], env);
  const found = await onPath([headlessShell, ...withWindows], env);
  if (found) return found;
  throw new Error(`The tests need a Chromium, and there is none (${why}). ${remedy}`);
}

export async function startBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    // Chromium's sandbox refuses to run as root; the tests open nothing but their own server. Its pages of one context
    // share a process: a seventh of the processor time of the studio's tests was that of starting another for each.
    args: [
      ...(isRoot() ? ['--no-sandbox'] : []),
      '--disable-site-isolation-trials',
      '--process-per-site',
      ...args,
    ],
  });
}

async function onPath(names: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    for (const name of names) if (await canRun(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
