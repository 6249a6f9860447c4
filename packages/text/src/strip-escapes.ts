/**
 * Titles and other strings for a terminal, control sequences, single escapes. None of the parts goes on behind another escape, so
 * that each character is read once; Node's `stripVTControlCharacters` takes quadratic time for titles that nothing ends.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/
 */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?/g;

/** A text without what a terminal would take for commands. */
export function stripEscapes(text: string): string {
  return text.replace(escapes, '');
}
