/**
 * Backticks around code that nothing in it closes.
 *
 * @example
 * fenceOf('a ` b', 1); // '``'
 */
export function fenceOf(code: string, minLength: number): string {
  let longest = 0;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(minLength, longest + 1));
}

/**
 * A fenced block of code.
 *
 * @example
 * toCodeBlock('+ total', 'diff'); // '```diff\n+ total\n```'
 */
export function toCodeBlock(code: string, language: string): string {
  const fence = fenceOf(code, 3);
  return `${fence}${language}\n${code}\n${fence}`;
}
