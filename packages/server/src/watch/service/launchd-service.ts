import { join } from 'node:path';
import type { ServiceDescription, ServiceOwner, WatchService } from './service-description.ts';
import { escapeXml } from './xml-text.ts';

/** An agent of a user, which runs while that user is signed in, or a daemon of the system. */
export function describeLaunchdService(service: WatchService, owner: ServiceOwner): ServiceDescription {
  const { name, atStart, watch } = service;
  const library = join(atStart ? '/' : owner.home, 'Library');
  const keyFile = join(library, 'Application Support/Guise', `${name}.key`);
  const logFile = join(library, 'Logs', `${name}.log`);
  const file = join(library, atStart ? 'LaunchDaemons' : 'LaunchAgents', `${name}.plist`);
  const text = writePlist({
    Label: name,
    ProgramArguments: [...watch, `--key-file=${keyFile}`],
    ...(atStart && { UserName: owner.name }),
    RunAtLoad: true,
    KeepAlive: true,
    ThrottleInterval: 30,
    StandardErrorPath: logFile,
  });
  const domain = atStart ? 'system' : `gui/${owner.uid}`;
  const bootout = ['launchctl', 'bootout', `${domain}/${name}`] as const;
  return {
    file,
    text,
    bytes: Buffer.from(text),
    keyFile,
    messages: logFile,
    // One that runs already has to go before it is read anew.
    start: [{ words: bootout, mayFail: true }, { words: ['launchctl', 'bootstrap', domain, file] }],
    stop: [{ words: bootout, mayFail: true }],
    owner,
  };
}

function writePlist(entries: Readonly<Record<string, string | number | true | readonly string[]>>): string {
  const lines = Object.entries(entries).map(
    ([key, value]) => `  <key>${key}</key>\n  ${writePlistValue(value)}\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${lines.join('')}</dict>
</plist>
`;
}

function writePlistValue(value: string | number | true | readonly string[]): string {
  if (value === true) return '<true/>';
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`;
  return `<array>\n${value.map((word) => `    <string>${escapeXml(word)}</string>\n`).join('')}  </array>`;
}
