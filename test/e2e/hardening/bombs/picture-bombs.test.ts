import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ownDecoders,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../../packages/server/test/support/harness.ts';
import { makeBombs } from './bombs.ts';
import { findPicturePlaces, makePicturePlaces, type PictureRequest } from './picture-places.ts';

let server: TestServer;
let attacker: TestAccount;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0 }, undefined, ownDecoders);
  attacker = await server.account(1_000_000);
});
after(() => server.stop());

async function makePlaces() {
  return makePicturePlaces(async (method, path, body) => {
    const answer = await attacker.call(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  }, attacker.api_key);
}

async function send({ path, ...request }: PictureRequest): Promise<{ status: number; text: string }> {
  const response = await fetch(server.url + path, request);
  return { status: response.status, text: await response.text() };
}

test('every endpoint that takes a picture is a row of the matrix', async () => {
  const found = findPicturePlaces().map(({ operation }) => operation);
  assert.ok(found.length >= 27, found.join());
  assert.deepEqual([...(await makePlaces()).keys()].sort(), found.sort());
});

test('every endpoint refuses every bomb or makes it within its limits, and memory comes back', async () => {
  const places = await makePlaces();
  const bombs = await makeBombs();
  const memory = process.memoryUsage.rss();
  const wrong: string[] = [];
  for (const [operation, requestOf] of places)
    for (const { name, bytes, refused } of bombs) {
      const { status, text } = await send(requestOf(bytes));
      // An error of a tool is part of an answer that succeeds.
      const isRefused =
        (status >= 400 && status < 500) || (status === 200 && text.includes('"isError":true'));
      if (!isRefused && (refused || status >= 300))
        wrong.push(`${operation}, ${name}: ${status} ${text.slice(0, 200)}`);
    }
  assert.deepEqual(wrong, []);
  const grown = (process.memoryUsage.rss() - memory) / 2 ** 20;
  assert.ok(grown < 300, `${Math.round(grown)} MB more`);
});
