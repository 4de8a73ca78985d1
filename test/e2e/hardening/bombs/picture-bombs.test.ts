import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  ownPictureProcesses,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../../packages/server/test/support/harness.ts';
import { answersToBombs, isRefused, makePlaces, pageOfAnswers } from './bomb-answers.ts';
import { makeBombs } from './bombs.ts';
import { findPicturePlaces } from './picture-places.ts';

let server: TestServer;
let attacker: TestAccount;
before(async () => {
  const limits = {
    runsPerMinute: 0,
    testsPerMinute: 0,
    allowPrivateUrls: true,
    trustedProxies: ['127.0.0.1'],
  };
  server = await startTestServer(limits, undefined, ownPictureProcesses);
  attacker = await server.account(1_000_000);
});
after(() => server.stop());

test('every endpoint that takes a picture is a row of the matrix', async () => {
  const found = findPicturePlaces().map(({ operation }) => operation);
  assert.ok(found.length >= 33, found.join());
  assert.deepEqual([...(await makePlaces(attacker)).keys()].sort(), found.sort());
});

test('every endpoint refuses every bomb or makes it within its limits, as docs/bombs.md says, and memory comes back', async () => {
  const bombs = await makeBombs();
  const memory = process.memoryUsage.rss();
  const answers = await answersToBombs(attacker, bombs);
  const wrong = answers.filter((answer) => {
    // What is refused for anything but the picture has not tried it.
    if (isRefused(answer)) return ![200, 400, 422].includes(answer.status);
    return answer.bomb.refused || answer.status >= 300;
  });
  assert.deepEqual(
    wrong.map(({ place, bomb, status, text }) => `${place}, ${bomb.name}: ${status} ${text.slice(0, 200)}`),
    [],
  );
  const grown = (process.memoryUsage.rss() - memory) / 2 ** 20;
  assert.ok(grown < 300, `${Math.round(grown)} MB more`);
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/bombs.md'), 'utf8');
  assert.equal(pageOfAnswers(answers), page, 'run npm run docs:bombs');
});
