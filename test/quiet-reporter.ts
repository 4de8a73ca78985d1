import type { TestEvent } from 'node:test/reporters';

/** Says what failed and why, and closes with the runner's own summary. */
export default async function* quiet(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type === 'test:fail' && event.data.details.type !== 'suite') {
      const { name, file, line, details } = event.data;
      const cause = details.error.cause;
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? details.error);
      yield `✖ ${name}\n  ${file}:${line}\n  ${why.replaceAll('\n', '\n  ')}\n\n`;
    }
    if (event.type === 'test:diagnostic' && event.data.file === undefined) yield `ℹ ${event.data.message}\n`;
  }
}
