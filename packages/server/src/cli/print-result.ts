/** The result of a command: as JSON for programs, or as lines for people. */
export function printResult(json: boolean | undefined, result: unknown, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(result) : lines.join('\n'));
}
