import { join, relative } from 'node:path';
import type { App } from '../app/api-node.ts';
import { guiseCommand, isWindows } from '../platform.ts';

/** A photo that every installation has, from the folder of Guise. */
const samplePhoto = 'catalog/samples/astronaut.jpg';

/** What `start` and `api` print once they listen. The demo account is made on the first start only. */
export function welcomeText({
  url,
  demoKey,
  signInLink,
}: Pick<App, 'url' | 'demoKey' | 'signInLink'>): string {
  const address = [`Guise is listening on ${url}`, `API reference: ${url}/docs`];
  const anotherLink = `${settingsHere()}${guiseCommand()} accounts link`;
  if (!demoKey || !signInLink)
    return [
      ...address,
      `Without a password, this prints a link that signs in to the studio: ${anotherLink}`,
    ].join('\n');
  return [
    ...address,
    '',
    'Open the studio with this link, which signs in once within 24 hours:',
    '',
    `  ${signInLink}`,
    '',
    'Then set a password in the account menu. This prints another link:',
    '',
    `  ${anotherLink}`,
    '',
    'Demo account with 1,000 credits; this key is shown only now:',
    '',
    `  ${demoKey}`,
    '',
    'Try it:',
    '',
    (isWindows ? firstPowerShellCall : firstCall)(url, demoKey, photoFromHere()).replaceAll(/^/gm, '  '),
    '',
  ].join('\n');
}

/** Settings that this process was started with, and that its commands need too. Those with secrets are not printed. */
function settingsHere(): string {
  if (isWindows) return '';
  const given = ['GUISE_DATA_DIR', 'PORT'].filter((name) => process.env[name]);
  return given.map((name) => `${name}='${process.env[name]}' `).join('');
}

/** The sample photo from the folder in which this was started, which need not be that of Guise. */
function photoFromHere(): string {
  const photo = join(import.meta.dirname, '../../../..', samplePhoto);
  const way = relative(process.cwd(), photo);
  const shown = way.startsWith('..') ? photo : way;
  return shown.includes(' ') ? `'${shown}'` : shown;
}

/** Works as pasted: a sample photo with the first filter. README.md shows the same. */
export function firstCall(url: string, key: string, photo = samplePhoto): string {
  return `printf '{"filter_id":1,"gender":4,"base64":"%s"}' "$(base64 < ${photo} | tr -d '\\n')" |
  curl -s ${url}/v6/run/face_swap -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d @-`;
}

/** The same in the shell that Windows has. */
export function firstPowerShellCall(url: string, key: string, photo = samplePhoto): string {
  return `$photo = [Convert]::ToBase64String([IO.File]::ReadAllBytes((Resolve-Path ${photo})))
Invoke-RestMethod ${url}/v6/run/face_swap -Method Post -Headers @{'X-API-Key'='${key}'} -ContentType application/json -Body (@{filter_id=1; gender=4; base64=$photo} | ConvertTo-Json)`;
}
