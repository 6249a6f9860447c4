import { showHiddenCharacters } from '@agent/text';

/** A file's name for a list of one name a line: as it is, or as a JSON string where it could be taken for more. */
export function quoteName(name: string): string {
  const { text, count } = showHiddenCharacters(name);
  const isPlain = count === 0 && text === name && text.trim() === text && !/[\n\r\t"\\]| -> /u.test(text);
  // Escapes of hidden characters are no escapes of JSON: the backslash stays one.
  return isPlain ? name : JSON.stringify(text).replaceAll('\\\\u{', '\\u{');
}
