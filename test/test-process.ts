import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What every process of `npm test` begins with. */

/** Hundreds of test processes and servers load the same modules: each is compiled once for all of them. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'guise-test-compile-cache');

const mostMinutes = 10;

/** The runner waits for ever for a file whose test has timed out and left a server or a socket open. */
if (process.env.NODE_TEST_CONTEXT) {
  setTimeout(() => {
    console.error(`${process.argv[1]} has not ended after ${mostMinutes} minutes.`);
    process.exit(1);
  }, mostMinutes * 60_000).unref();
}
