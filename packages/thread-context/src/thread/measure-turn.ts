import type { ThreadTurn } from './ports.ts';

const indentation = 2;

/** Counts the UTF-16 units that a turn takes in a transcript, without writing it. */
export function measureTurn({ name, text }: ThreadTurn): number {
  const speaker =
    name === null ? 'assistant: '.length : 'user: '.length + (name === '' ? 0 : `${name}: `.length);
  return speaker + text.length + indentation * countFurtherLines(text);
}

/** Lines behind the first that are not empty: those are indented. */
function countFurtherLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at + 1 < text.length && text.charAt(at + 1) !== '\n') lines += 1;
  }
  return lines;
}
