/** The end of a help page: lines that work as they are typed. */
export function example(...lines: string[]): string {
  return ['', 'Example:', ...lines.map((line) => `  ${line}`)].join('\n');
}
