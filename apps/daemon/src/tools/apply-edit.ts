import { ToolError } from './define-tool.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/**
 * Replaces an exact passage. In a file with CRLF line ends, a passage written with LF is meant with CRLF.
 *
 * @throws ToolError when the passage is missing or stands more than once
 */
export function applyEdit(text: string, edit: Edit): { readonly text: string; readonly count: number } {
  if (edit.oldText === '') throw new ToolError('old_text is empty. Use write_file to make a new file.');
  if (edit.oldText === edit.newText)
    throw new ToolError('old_text and new_text are the same: nothing to change.');
  const { oldText, newText } = withLineEndsOf(text, edit);
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

function withLineEndsOf(text: string, edit: Edit): Pick<Edit, 'oldText' | 'newText'> {
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

/** Where the passage's first telling line stands when white space is not counted: most misses are indentation. */
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
