import type { DemoThread } from '@agent/simulators/demo';
import { wrapLine } from './wrap-line.ts';

/** A thread, as far as it is shown. */
type ShownThread = Pick<DemoThread, 'reference' | 'title' | 'body' | 'labels' | 'comments'>;

export interface ThreadFormat {
  /** Of a comment that this finds, only the first line is shown. Default: all are shown whole. */
  readonly inBrief?: RegExp | undefined;
}

const width = 100;

/** The thread as a person would see it on the page, without its empty lines; hidden HTML comments are hidden here too. */
export function formatThread(
  { reference, title, labels, body, comments }: ShownThread,
  { inBrief }: ThreadFormat = {},
): string {
  const opening = [`${reference} ${title}`, `Labels: ${labels.join(', ') || 'none'}`, ...quote(body ?? '')];
  return [opening.join('\n'), formatComments(comments, { inBrief })]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Comments as a person would see them, the oldest first. */
export function formatComments(comments: ShownThread['comments'], { inBrief }: ThreadFormat = {}): string {
  const parts = comments.map(({ author, body }) => {
    const lines = quote(body);
    return [`@${author ?? 'ghost'}:`, ...(inBrief?.test(body) ? cutToFirst(lines) : lines)].join('\n');
  });
  return parts.join('\n\n');
}

function quote(text: string): string[] {
  const lines = text.replace(/<!--[\s\S]*?-->/g, '').split('\n');
  const visible = lines.filter((line) => line.trim() !== '');
  return visible.flatMap((line) => wrapLine(line, width)).map((line) => `│ ${line}`);
}

function cutToFirst([first = '', ...others]: readonly string[]): string[] {
  return [first, `│ … (${others.length} more lines)`];
}
