import { win32 } from 'node:path';
import type { ServiceDescription, ServiceOwner, WatchService } from './service-description.ts';
import { escapeXml } from './xml-text.ts';

/**
 * A task of the Task Scheduler. A Windows service has to answer the service manager, which Node cannot: it would need a
 * program of somebody else around it. A task needs nothing that Windows does not have, and starts again after a failure.
 */
export function describeWindowsTask(service: WatchService, owner: ServiceOwner): ServiceDescription {
  const { name, atStart, watch } = service;
  const folder = win32.join(owner.home, 'AppData', 'Local', 'Guise');
  const keyFile = win32.join(folder, `${name}.key`);
  const logFile = win32.join(folder, `${name}.log`);
  const file = win32.join(folder, `${name}.xml`);
  const text = writeTask(service, owner, [...watch, `--key-file=${keyFile}`], logFile);
  const task = `Guise\\${name}`;
  return {
    file,
    text,
    // The Task Scheduler refuses a text whose encoding is not the one that its first line names.
    bytes: Buffer.from(`\ufeff${text}`, 'utf16le'),
    keyFile,
    messages: logFile,
    ...(!atStart && {
      hint: `It runs while ${owner.name} is signed in; --system starts it with the machine.`,
    }),
    start: [
      { words: ['schtasks', '/End', '/TN', task], mayFail: true },
      { words: ['schtasks', '/Create', '/F', '/TN', task, '/XML', file] },
      { words: ['schtasks', '/Run', '/TN', task] },
    ],
    stop: [
      { words: ['schtasks', '/End', '/TN', task], mayFail: true },
      { words: ['schtasks', '/Delete', '/F', '/TN', task] },
    ],
    owner,
  };
}

function writeTask(
  { atStart, photos }: WatchService,
  { name: user }: ServiceOwner,
  words: readonly string[],
  logFile: string,
): string {
  // Tasks keep nothing of what their programs say: cmd.exe writes it to a file.
  const line = `/d /s /c "${words.map(quoteWord).join(' ')} >> ${quoteWord(logFile)} 2>&1"`;
  const trigger = atStart
    ? '<BootTrigger><Enabled>true</Enabled></BootTrigger>'
    : `<LogonTrigger><Enabled>true</Enabled><UserId>${escapeXml(user)}</UserId></LogonTrigger>`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Guise makes pictures of the photos in ${escapeXml(photos)}</Description>
  </RegistrationInfo>
  <Triggers>${trigger}</Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>${atStart ? 'S4U' : 'InteractiveToken'}</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>255</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>${escapeXml(line)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** Programs split their command line at spaces outside of quotes; backslashes before a quote are doubled. */
const quoteWord = (word: string) =>
  `"${word.replaceAll(/(\\*)("|$)/g, (_, slashes: string, quote: string) => `${slashes}${slashes}${quote && '\\"'}`)}"`;
