import { ToolError } from '../workspace-error.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/**
 * Replaces an exact passage. In a file with CRLF line ends, a passage written with LF is meant with CRLF; where it holds
 * escapes such as `\u{200B}`, as tools show hidden characters, the characters are meant unless the file has the escapes.
 *
 * @throws ToolError when the passage is missing or stands more than once
 */
export function applyEdit(text: string, edit: Edit): { readonly text: string; readonly count: number } {
  if (edit.oldText === '') throw new ToolError('old_text is empty. Use write_file to make a new file.');
  if (edit.oldText === edit.newText)
    throw new ToolError('old_text and new_text are the same: nothing to change.');
  const { oldText, newText } = withLineEndsOf(text, withHiddenOf(text, edit));
  const parts = text.split(oldText);
  const count = parts.length - 1;
  if (count === 0) throw new ToolError(`old_text does not occur in the file. ${nearest(text, oldText)}`);
  if (count > 1 && !edit.replaceAll) {
    throw new ToolError(
      `old_text occurs ${count} times (lines ${lineNumbers(parts)}). Give more of the text around it, or set replace_all.`,
    );
  }
  return { text: parts.join(newText), count };
}

const hiddenEscape = /\\u\{([0-9A-F]{1,6})\}/g;

/** Escapes in the passage mean the characters that tools show so, unless the file itself has the escapes. */
function withHiddenOf(text: string, { oldText, newText }: Edit): Pick<Edit, 'oldText' | 'newText'> {
  if (text.includes(oldText)) return { oldText, newText };
  const shown = new Set(oldText.match(hiddenEscape));
  const decode = (passage: string) =>
    passage.replace(hiddenEscape, (escaped, hex: string) =>
      shown.has(escaped) ? toCharacter(hex) : escaped,
    );
  return { oldText: decode(oldText), newText: decode(newText) };
}

function toCharacter(hex: string): string {
  return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff));
}

function withLineEndsOf(
  text: string,
  edit: Pick<Edit, 'oldText' | 'newText'>,
): Pick<Edit, 'oldText' | 'newText'> {
  if (text.includes(edit.oldText) || !text.includes('\r\n') || edit.oldText.includes('\r')) return edit;
  const convert = (passage: string) => passage.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n');
  return { oldText: convert(edit.oldText), newText: convert(edit.newText) };
}

function lineNumbers(parts: readonly string[]): string {
  let line = 1;
  const numbers = parts.slice(0, -1).map((part, index) => {
    line += part.split('\n').length - 1;
    return index < 10 ? line : 0;
  });
  return numbers.filter((number) => number > 0).join(', ') + (numbers.length > 10 ? ', …' : '');
}

/** Finds the passage's first telling line, white space not counted: most misses are indentation. */
function nearest(text: string, oldText: string): string {
  const squeeze = (line: string) => line.replace(/\s+/g, '');
  const wanted = oldText
    .split('\n')
    .map(squeeze)
    .find((line) => line.length > 3);
  const lines = text.split('\n');
  const index = wanted === undefined ? -1 : lines.findIndex((line) => squeeze(line).includes(wanted));
  if (index === -1) return 'Read the file again: it may have changed.';
  const shown = lines
    .slice(index, index + 5)
    .map((line, offset) => `${index + offset + 1}\t${line.slice(0, 300)}`);
  return `The nearest is at line ${index + 1}; copy it exactly, white space included:\n${shown.join('\n')}`;
}
