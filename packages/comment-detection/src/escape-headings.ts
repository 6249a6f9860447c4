/** The headings that only this package writes. Blanks before one end with their line, or many lines would be read many times. */
const frame =
  /^(?=[^\S\n\r\u2028\u2029]*(?:\[(?:New Comments? |Comment (?:Edited|Deleted) by @)|Comment \d+ from @\S+ \())/gim;

/**
 * The body with every line that imitates a heading of ours quoted, so that nobody can speak in another's name.
 * All other bodies come back as they are.
 */
export function escapeHeadings(body: string): string {
  return body.replaceAll(frame, '> ');
}
