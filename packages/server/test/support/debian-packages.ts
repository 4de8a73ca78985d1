import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const isRoot = () => process.getuid?.() === 0;

/**
 * Installs what a test needs. Says why it could not, or that it did. Several test files may want this at once: dpkg's
 * lock lets them wait.
 */
export async function installFromDebian(
  packages: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  if (!isRoot()) return 'only root may install one';
  const apt = (...words: string[]) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-y', ...words], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await apt('update').catch(() => {});
    await apt('install', '--no-install-recommends', ...packages);
    return 'apt-get installed one that is not on the PATH';
  } catch (error) {
    return `apt-get said: ${String((error as { stderr?: string }).stderr || error)
      .trim()
      .slice(-300)}`;
  }
}
