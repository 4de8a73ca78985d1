import { spawnSync } from 'node:child_process';

/** What stands before a command so that it runs without a network; empty where this system does not allow it. */
export function networkIsolation(): readonly string[] {
  if (process.platform !== 'linux') return [];
  // A network namespace of its own has no interface but a loopback that is down. Whoever is not root needs a user
  // namespace for it, which some systems and most containers refuse.
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const words = ['unshare', ...user, '--net', '--'];
  const [command, ...args] = [...words, 'true'];
  const { status } = spawnSync(command!, args, { stdio: 'ignore', timeout: 5000 });
  return status === 0 ? words : [];
}
