import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../errors.ts';
import { giveFile, type ServiceManager, serviceManager } from '../../platform.ts';
import { describeLaunchdService } from './launchd-service.ts';
import type {
  ManagerCommand,
  ServiceDescription,
  ServiceOwner,
  WatchService,
} from './service-description.ts';
import { describeSystemdService } from './systemd-service.ts';
import { describeWindowsTask } from './windows-task.ts';

const describe: Readonly<
  Record<ServiceManager, (service: WatchService, owner: ServiceOwner) => ServiceDescription>
> = {
  systemd: describeSystemdService,
  launchd: describeLaunchdService,
  'task scheduler': describeWindowsTask,
};

export function describeService(
  service: WatchService,
  manager = serviceManager(),
  owner = readOwner(),
): ServiceDescription {
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/i.test(service.name))
    throw new AppError('USAGE', '--name takes letters, digits, - and _, and begins with a letter or digit.');
  return describe[manager](service, owner);
}

/** Who runs this, or who called sudo for it: a service has no need of more rights. */
function readOwner(): ServiceOwner {
  const { username, uid, gid } = userInfo();
  const { SUDO_USER, SUDO_UID, SUDO_GID } = process.env;
  const isSudo = uid === 0 && SUDO_USER && SUDO_UID && SUDO_GID;
  return {
    home: homedir(),
    ...(isSudo
      ? { name: SUDO_USER, uid: Number(SUDO_UID), gid: Number(SUDO_GID) }
      : { name: username, uid, gid }),
  };
}

/** Writes the key and the definition, and starts the service. */
export async function installService(description: ServiceDescription, apiKey: string): Promise<void> {
  const { file, bytes, keyFile, owner, start } = description;
  for (const path of [file, keyFile]) await mkdir(dirname(path), { recursive: true });
  await rm(keyFile, { force: true });
  await writeFile(keyFile, `${apiKey}\n`, { mode: 0o600 });
  giveFile(keyFile, owner);
  await writeFile(file, bytes);
  for (const command of start)
    await runCommand(command, `The definition is written to ${file}. Run it yourself`);
}

/** Stops the service and removes what was written. */
export async function uninstallService({ file, keyFile, stop }: ServiceDescription): Promise<void> {
  if (!existsSync(file)) throw new AppError('USAGE', `There is no ${file}.`);
  const [first, ...rest] = stop;
  await runCommand(first!, 'Nothing was removed. Stop it yourself and try again');
  for (const path of [file, keyFile]) await rm(path, { force: true });
  for (const command of rest) await runCommand(command, 'It is removed. Run it yourself');
}

async function runCommand({ words, mayFail }: ManagerCommand, advice: string): Promise<void> {
  const [program, ...rest] = words;
  try {
    await promisify(execFile)(program, rest);
  } catch (error) {
    if (mayFail) return;
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new AppError('USAGE', `${words.join(' ')} failed: ${said} ${advice}.`);
  }
}
