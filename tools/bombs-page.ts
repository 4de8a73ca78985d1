import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownPictureProcesses, startTestServer } from '../packages/server/test/support/harness.ts';
import { answersToBombs, pageOfAnswers } from '../test/e2e/hardening/bombs/bomb-answers.ts';
import { makeBombs } from '../test/e2e/hardening/bombs/bombs.ts';

/**
 * Writes docs/bombs.md: what every endpoint that takes a picture answers to every bomb. A test compares it.
 *
 *   npm run docs:bombs
 */
const server = await startTestServer(
  { runsPerMinute: 0, testsPerMinute: 0, allowPrivateUrls: true, trustedProxies: ['127.0.0.1'] },
  undefined,
  ownPictureProcesses,
);
try {
  const answers = await answersToBombs(await server.account(1_000_000), await makeBombs());
  writeFileSync(join(import.meta.dirname, '../docs/bombs.md'), pageOfAnswers(answers));
} finally {
  await server.stop();
}
