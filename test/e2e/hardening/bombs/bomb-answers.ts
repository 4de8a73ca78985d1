import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestAccount } from '../../../../packages/server/test/support/harness.ts';
import type { Bomb } from './bombs.ts';
import { makePicturePlaces, type PictureRequest } from './picture-places.ts';

/** What an endpoint said to a bomb. */
export interface BombAnswer {
  place: string;
  bomb: Bomb;
  status: number;
  text: string;
}

/** Sends every bomb to every endpoint that takes a picture, and to some of them by URL as well. */
export async function answersToBombs(attacker: TestAccount, bombs: readonly Bomb[]): Promise<BombAnswer[]> {
  let served: Buffer = Buffer.alloc(0);
  const files = createServer((_request, response) => response.end(served)).listen(0, '127.0.0.1');
  await new Promise((resolve) => files.once('listening', resolve));
  const fileUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}/photo.jpg`;
  const serve = (bytes: Buffer) => {
    served = bytes;
    return fileUrl;
  };
  try {
    const places = await makePlaces(attacker, serve);
    const answers: BombAnswer[] = [];
    for (const [place, requestOf] of places)
      for (const bomb of bombs)
        answers.push({ place, bomb, ...(await send(attacker.url, requestOf(bomb.bytes))) });
    return answers;
  } finally {
    files.close();
  }
}

/** How a picture is sent to each place, with all that has to be there first. */
export function makePlaces(attacker: TestAccount, serve?: (bytes: Buffer) => string) {
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await attacker.call(method, path, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  return makePicturePlaces(call, attacker.api_key, serve);
}

async function send(url: string, { path, ...request }: PictureRequest) {
  const response = await fetch(url + path, request);
  return { status: response.status, text: await response.text() };
}

/** An error of a tool is part of an answer that succeeds. */
export const isRefused = ({ status, text }: Pick<BombAnswer, 'status' | 'text'>): boolean =>
  (status >= 400 && status < 500) || (status === 200 && text.includes('"isError":true'));

/** docs/bombs.md: a column for places that answer all bombs alike. */
export function pageOfAnswers(answers: readonly BombAnswer[]): string {
  const words = new Map<string, Map<string, string>>();
  for (const answer of answers) {
    const ofPlace = words.get(answer.place) ?? new Map<string, string>();
    words.set(answer.place, ofPlace.set(answer.bomb.name, wordOf(answer)));
  }
  const groups = [
    ...Map.groupBy(words.keys(), (place) => JSON.stringify([...words.get(place)!.values()])).values(),
  ].sort((a, b) => b.length - a.length);
  const letters = groups.map((_, i) => String.fromCharCode(65 + i));
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const bombs = [...words.values().next().value!.keys()];
  return `# Every place, every bomb

<!-- Made from the answers of a server by \`npm run docs:bombs\`. -->

What each endpoint that takes a picture answers to each of ${bombs.length} files: ${words.size} places, ${words.size * bombs.length} answers, none of them 5xx. What is made, is made within the [limits of decoding](security.md#decoding). \`by URL\` is a place to which the file was sent by its address.

${groups.map((places, i) => `- **${letters[i]}**: ${places.map((place) => `\`${place}\``).join(', ')}`).join('\n')}

${[
  row(['file', ...letters]),
  row(['---', ...letters.map(() => '---')]),
  ...bombs.map((bomb) => row([bomb, ...groups.map(([place]) => words.get(place!)!.get(bomb)!)])),
].join('\n')}
`;
}

/** The code of a refusal, in whichever shape it comes. */
function wordOf({ status, text }: BombAnswer): string {
  if (!isRefused({ status, text })) return 'made';
  const code = /"(?:error_)?code\\?":\s*\\?"(\w+)/.exec(text)?.[1]?.toUpperCase();
  return status === 200 ? 'refused by the tool' : `${status} ${code ?? ''}`.trim();
}
