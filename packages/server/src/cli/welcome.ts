import type { App } from '../app/api-node.ts';

/** A photo that every installation has, from the folder of Guise. */
const samplePhoto = 'catalog/samples/astronaut.jpg';

/** What `start` and `api` print once they listen. The demo account is made on the first start only. */
export function welcomeText({
  url,
  demoKey,
  signInLink,
}: Pick<App, 'url' | 'demoKey' | 'signInLink'>): string {
  const address = [`Guise is listening on ${url}`, `API reference: ${url}/docs`];
  if (!demoKey || !signInLink) return address.join('\n');
  return [
    ...address,
    '',
    'Open the studio with this link, which signs in once within 24 hours:',
    '',
    `  ${signInLink}`,
    '',
    'Demo account with 1,000 credits; this key is shown only now:',
    '',
    `  ${demoKey}`,
    '',
    'Try it:',
    '',
    firstCall(url, demoKey).replaceAll(/^/gm, '  '),
    '',
  ].join('\n');
}

/** Works as pasted, in the folder of Guise: a sample photo with the first filter. README.md shows the same. */
export function firstCall(url: string, key: string): string {
  return `printf '{"filter_id":1,"gender":4,"base64":"%s"}' "$(base64 < ${samplePhoto} | tr -d '\\n')" |
  curl -s ${url}/v6/run/face_swap -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d @-`;
}
