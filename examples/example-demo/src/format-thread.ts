import { wrapLine } from './wrap-line.ts';

/** What stands on a thread, as the simulator shows it. */
export interface ShownThread {
  /** `#1`, `!1` */
  readonly reference: string;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string | null; readonly body: string }[];
}

export interface ThreadFormat {
  /** Of a comment that this finds, only the first line is shown. Default: all are shown whole. */
  readonly inBrief?: RegExp;
}

const width = 100;

/** The thread as a person would see it on the page, without its empty lines; hidden HTML comments are hidden here too. */
export function formatThread(
  { reference, title, labels, body, comments }: ShownThread,
  { inBrief }: ThreadFormat = {},
): string {
  const opening = [`${reference} ${title}`, `Labels: ${labels.join(', ') || 'none'}`, ...quote(body ?? '')];
  const parts = comments.map((comment) => {
    const lines = quote(comment.body);
    const shown = inBrief?.test(comment.body) ? cutToFirst(lines) : lines;
    return [`@${comment.author ?? 'ghost'}:`, ...shown];
  });
  return [opening, ...parts].map((lines) => lines.join('\n')).join('\n\n');
}

function quote(text: string): string[] {
  const lines = text.replace(/<!--[\s\S]*?-->/g, '').split('\n');
  const visible = lines.filter((line) => line.trim() !== '');
  return visible.flatMap((line) => wrapLine(line, width)).map((line) => `│ ${line}`);
}

function cutToFirst([first = '', ...others]: readonly string[]): string[] {
  return [first, `│ … (${others.length} more lines)`];
}
