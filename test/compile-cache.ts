import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Hundreds of test processes and servers load the same modules: each is compiled once for all of them. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'guise-test-compile-cache');
