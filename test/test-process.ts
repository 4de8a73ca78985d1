import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';

/** What every process of `npm test` begins with. */

/** Hundreds of test processes and servers load the same modules: each is compiled once for all of them. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'guise-test-compile-cache');

const mostMinutes = 5;

/** The runner waits for ever for a test that hangs, and for a file that has left a server or a socket open. */
if (process.env.NODE_TEST_CONTEXT) {
  let running = process.argv[1];
  const watchdog = setTimeout(() => {
    console.error(`No test has ended for ${mostMinutes} minutes: ${running}`);
    process.exit(1);
  }, mostMinutes * 60_000).unref();
  beforeEach((context) => {
    running = context.fullName;
  });
  afterEach(() => {
    watchdog.refresh();
  });
}
