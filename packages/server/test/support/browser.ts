import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const remedy =
  'Install Chromium (Debian: apt-get install chromium), or set GUISE_TEST_CHROMIUM to the path of a Chromium or Chrome.';

/**
 * The browser that tests run in: the one named by GUISE_TEST_CHROMIUM, else one on the PATH, else Debian's, which is
 * installed when we may. Never none: a test in a browser that does not run would prove nothing.
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = env.GUISE_TEST_CHROMIUM;
  if (named) {
    if (await canRun(named)) return named;
    throw new Error(`GUISE_TEST_CHROMIUM names ${named}, which cannot be run. ${remedy}`);
  }
  const found = await onPath(env);
  if (found) return found;
  const why = await installFromDebian(env);
  const installed = await onPath(env);
  if (!installed) throw new Error(`The tests need a Chromium, and there is none (${why}). ${remedy}`);
  return installed;
}

export async function startBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    // Chromium's sandbox refuses to run as root; the tests open nothing but their own server.
    args: [...(isRoot() ? ['--no-sandbox'] : []), ...args],
  });
}

async function onPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
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

/** Says why it could not, or nothing. Several test files may want this at once: dpkg's lock lets them wait. */
async function installFromDebian(env: NodeJS.ProcessEnv): Promise<string> {
  if (!isRoot()) return 'only root may install one';
  const apt = (...words: string[]) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-y', ...words], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await apt('update').catch(() => {});
    await apt('install', '--no-install-recommends', 'chromium');
    return 'apt-get installed one that is not on the PATH';
  } catch (error) {
    return `apt-get said: ${String((error as { stderr?: string }).stderr || error)
      .trim()
      .slice(-300)}`;
  }
}

const isRoot = () => process.getuid?.() === 0;
