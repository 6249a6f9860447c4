const BEGIN = '<!-- generated: npm run house -- --write -->';
const END = '<!-- end of what is generated -->';

/**
 * Replaces what stands between the two marks of a document.
 *
 * @throws when the document has no such marks.
 */
export function replaceGenerated(document: string, content: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`the document lacks the lines ${BEGIN} and ${END}`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${content.trim()}\n\n${document.slice(end)}`;
}
