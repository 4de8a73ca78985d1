import { join } from 'node:path';
import type {
  ManagerCommand,
  ServiceDescription,
  ServiceOwner,
  WatchService,
} from './service-description.ts';

/** A unit of the system, or of a user, which runs while that user is signed in. */
export function describeSystemdService(service: WatchService, owner: ServiceOwner): ServiceDescription {
  const { name, atStart, watch, photos } = service;
  const config = atStart ? '/etc' : join(owner.home, '.config');
  const keyFile = join(config, 'guise', `${name}.key`);
  const words = [...watch, `--key-file=${keyFile}`];
  const text = [
    '[Unit]',
    `Description=Guise makes pictures of the photos in ${escapeSpecifiers(photos)}`,
    ...(atStart ? ['After=network-online.target', 'Wants=network-online.target'] : []),
    '',
    '[Service]',
    `ExecStart=${words.map(quoteWord).join(' ')}`,
    ...(atStart ? [`User=${owner.name}`] : []),
    'Restart=always',
    'RestartSec=30',
    '',
    '[Install]',
    `WantedBy=${atStart ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
  const scope = atStart ? [] : ['--user'];
  const systemctl = (...rest: string[]): ManagerCommand => ({ words: ['systemctl', ...scope, ...rest] });
  return {
    file: join(config, atStart ? 'systemd/system' : 'systemd/user', `${name}.service`),
    text,
    bytes: Buffer.from(text),
    keyFile,
    messages: ['journalctl', ...scope, '-u', name].join(' '),
    ...(!atStart && {
      hint: `It runs while ${owner.name} is signed in. From the start of the machine on: loginctl enable-linger ${owner.name}`,
    }),
    start: [systemctl('daemon-reload'), systemctl('enable', name), systemctl('restart', name)],
    stop: [systemctl('disable', '--now', name), systemctl('daemon-reload')],
    owner,
  };
}

const escapeSpecifiers = (text: string) => text.replaceAll('%', '%%');

/** systemd reads quotes, backslashes, variables and specifiers in a command. */
const quoteWord = (word: string) =>
  `"${escapeSpecifiers(word).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '$$$$')}"`;
