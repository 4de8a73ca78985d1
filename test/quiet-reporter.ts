import type { TestEvent } from 'node:test/reporters';

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']['details'];

/** A suite fails with its tests, which are told one by one, or by itself: a hook, its code, its time limit. */
const failedItself = ({ type, error }: Failure) =>
  type !== 'suite' || (error as { failureType?: string }).failureType !== 'subtestsFailed';

/** Of what a process that ended badly has printed. */
const mostStderr = 4000;

/** Says what failed and why, and closes with the runner's own summary. */
export default async function* quiet(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const stderr = new Map<string | undefined, string>();
  for await (const event of source) {
    if (event.type === 'test:stderr') {
      const { file, message } = event.data;
      stderr.set(file, ((stderr.get(file) ?? '') + message).slice(-mostStderr));
    }
    if (event.type === 'test:fail' && failedItself(event.data.details)) {
      const { name, file, line, details } = event.data;
      const cause = details.error.cause;
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? details.error);
      const said = 'exitCode' in details.error ? (stderr.get(file) ?? '') : '';
      yield `✖ ${name}\n  ${file}:${line}\n  ${`${why}\n${said}`.trimEnd().replaceAll('\n', '\n  ')}\n\n`;
    }
    if (event.type === 'test:diagnostic' && event.data.file === undefined) yield `ℹ ${event.data.message}\n`;
  }
}
