import type { VersionInfo } from '@guise/contract/operator/operator.ts';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };

const answersMs = 5000;
const keptMs = 24 * 3600_000;
const mostChars = 200_000;

/** As npm's registry answers, or as the releases of GitHub and Gitea do. */
const Release = z.union([
  z.object({ version: z.string() }).transform(({ version }) => version),
  z.object({ tag_name: z.string() }).transform(({ tag_name }) => tag_name),
]);

/** Which version this is, and whether there is a newer one: asked once a day, and only where an address is set. */
export function createVersionCheck(releasesUrl: string): () => Promise<VersionInfo> {
  const { version } = packageJson;
  let last: { at: number; info: Promise<VersionInfo> } | undefined;
  const ask = async (): Promise<VersionInfo> => {
    const info = { version, is_asked: true, newer: null, error: null };
    try {
      const newest = await readNewest(releasesUrl);
      return { ...info, newer: isNewer(newest, version) ? newest : null };
    } catch (error) {
      last = undefined;
      return { ...info, error: `The address of releases gave no version: ${(error as Error).message}.` };
    }
  };
  return async () => {
    if (releasesUrl === '') return { version, is_asked: false, newer: null, error: null };
    if (!last || Date.now() - last.at > keptMs) last = { at: Date.now(), info: ask() };
    return last.info;
  };
}

async function readNewest(url: string): Promise<string> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', 'user-agent': 'guise' },
    signal: AbortSignal.timeout(answersMs),
  });
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  const text = await answer.text();
  if (text.length > mostChars) throw new Error('its answer is too large');
  const found = Release.safeParse(JSON.parse(text));
  const newest = found.success ? /^v?(\d+\.\d+\.\d+)$/.exec(found.data)?.[1] : undefined;
  if (newest === undefined) throw new Error('its answer names no version such as 1.2.3');
  return newest;
}

/** Both are three numbers. */
function isNewer(newest: string, own: string): boolean {
  const [a, b] = [newest, own].map((version) => version.split('.').map(Number));
  const at = [0, 1, 2].find((i) => a![i] !== b![i]);
  return at !== undefined && a![at]! > b![at]!;
}
