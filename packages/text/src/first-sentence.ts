/**
 * Gives the first sentence of a message. Errors of tools end with advice to the model, which is not meant for people.
 *
 * @example
 * firstSentence('"a.js" does not exist. Call list_files.'); // '"a.js" does not exist.'
 */
export function firstSentence(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  const end = /(?<!\b\p{L}|\b\p{N})[.!?](?=\s)|[。！？]/u.exec(line);
  return end === null ? line : line.slice(0, end.index + 1);
}
