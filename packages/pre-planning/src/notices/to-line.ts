import { fitStart } from '../prompts/fit-start.ts';

const maxLineChars = 500;

/**
 * Words of a model or a thread for a line of a comment: one line, not too long, and nobody is called by it.
 */
export function toLine(text: string): string {
  const line = fitStart(
    text
      .replace(/\p{Cc}+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    maxLineChars,
  );
  // A zero-width space keeps @names and closing words such as "fixes #1" from doing what they do on a forge.
  return line
    .replaceAll('![', '!\\[')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/<(?=[a-z!/?])/gi, '&lt;')
    .replace(/#(?=\d)/g, '#\u200b');
}

/** A list in Markdown; `none` where it is empty. */
export function toList(items: readonly string[], none: string): string {
  return (items.length === 0 ? [none] : items).map((item) => `- ${toLine(item)}`).join('\n');
}
