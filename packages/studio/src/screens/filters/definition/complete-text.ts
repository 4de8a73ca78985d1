/**
 * Puts a suggestion at the end of a text: in place of the words that it completes ("a cas" and "castle" give "a castle"),
 * else after a comma.
 */
export function completeText(text: string, suggestion: string): string {
  const wanted = suggestion.toLowerCase();
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    const typed = text.slice(index).toLowerCase();
    if (wanted.startsWith(typed.trimEnd())) return text.slice(0, index) + suggestion;
  }
  const before = text.trimEnd();
  if (before === '') return suggestion;
  return /[,.;:]$/.test(before) ? `${before} ${suggestion}` : `${before}, ${suggestion}`;
}
