/** One sentence for whatever went wrong: the server's own where there is one. */
export function errorSentence(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.';
}
