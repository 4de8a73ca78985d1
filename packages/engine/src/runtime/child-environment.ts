/**
 * What processes that decode pictures and videos get of the environment. A decoder that a hostile file has taken over
 * can read its own environment, so the database's address, the bucket's keys and the signing secret are not in it.
 * Settings reach an engine as arguments.
 */
const passedOn = [
  // Where programs and libraries are.
  'PATH',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'SYSTEMROOT',
  'WINDIR',
  'PATHEXT',
  'COMSPEC',
  // Where temporary files go.
  'TMPDIR',
  'TMP',
  'TEMP',
  // Language and time zone.
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  // Threads and memory.
  'UV_THREADPOOL_SIZE',
  'VIPS_CONCURRENCY',
  'OMP_NUM_THREADS',
  'MALLOC_ARENA_MAX',
  'NODE_OPTIONS',
  // Where compiled code is kept.
  'NODE_COMPILE_CACHE',
] as const;

/**
 * With a heap of its own for each thread that decodes and scales pictures, glibc keeps 1.1 GB for a costume instead of
 * 0.9 GB.
 */
const fewHeaps = { MALLOC_ARENA_MAX: '2' };

/** The environment of a child process, made from that of this one. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const known = passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...fewHeaps, ...Object.fromEntries(known), ORT_DISABLE_TELEMETRY: '1' };
}
