import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signatureHeaders } from '@guise/server/jobs/webhooks/signature-headers.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'guise-test-'));
after(() => rmSync(folder, { recursive: true }));

const [current, previous, foreign] = ['new', 'old', 'foreign'].map(
  (word) => `whsec_${Buffer.from(word.padEnd(32, '-')).toString('base64')}`,
) as [string, string, string];
const now = Date.now();
const body = '{"type":"job.completed","name":"Zoë"}';
const headers = signatureHeaders([current, previous], 'an-id', body, now);
const calls: [secret: string, headers: Record<string, string>, body: string][] = [
  [current, headers, body],
  [previous, headers, body],
  [foreign, headers, body],
  [current, headers, body.replace('Zoë', 'Zoe')],
  [current, signatureHeaders([current], 'an-id', body, now - 600_000), body],
];
const expected = [true, true, false, false, false];

const languages = [
  {
    fence: 'js',
    file: 'verify.mjs',
    program: process.execPath,
    main: 'console.log(JSON.stringify(JSON.parse(process.argv[2]).map((call) => verify(...call))));',
  },
  {
    fence: 'python',
    file: 'verify.py',
    program: 'python3',
    main: 'import json, sys\nprint(json.dumps([verify(*call) for call in json.loads(sys.argv[1])]))',
  },
];

for (const { fence, file, program, main } of languages) {
  test(`the ${fence} code of docs/webhooks.md accepts either secret of a roll and nothing that was changed or is old`, () => {
    const [, code] = new RegExp(`\`\`\`${fence}\n(.*?)\`\`\``, 's').exec(page)!;
    assert.ok(code!.trim().split('\n').length <= 12);
    writeFileSync(join(folder, file), `${code}\n${main}\n`);
    const output = execFileSync(program, [join(folder, file), JSON.stringify(calls)], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(output), expected);
  });
}
