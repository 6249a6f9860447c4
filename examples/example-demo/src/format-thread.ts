import type { DemoComment, DemoThread } from '@agent/simulators/demo';
import { wrapLine } from '@agent/simulators/demo/parts';

type ShownComment = Pick<DemoComment, 'author' | 'body'>;

type ShownThread = Pick<DemoThread, 'reference' | 'title' | 'body' | 'labels'> & {
  readonly comments: readonly ShownComment[];
};

const width = 100;

/** Formats a thread as its page shows it, without empty lines and hidden HTML comments. */
export function formatThread({ reference, title, labels, body, comments }: ShownThread): string {
  const opening = [`${reference} ${title}`, `Labels: ${labels.join(', ') || 'none'}`, ...quote(body ?? '')];
  return [opening.join('\n'), formatComments(comments)].filter((part) => part !== '').join('\n\n');
}

/** Formats comments as their page shows them, oldest first. */
export function formatComments(comments: readonly ShownComment[]): string {
  return comments
    .map(({ author, body }) => [`@${author ?? 'ghost'}:`, ...quote(body)].join('\n'))
    .join('\n\n');
}

function quote(text: string): string[] {
  const lines = text.replace(/<!--[\s\S]*?-->/g, '').split('\n');
  const visible = lines.filter((line) => line.trim() !== '');
  return visible.flatMap((line) => wrapLine(line, width)).map((line) => `│ ${line}`);
}
