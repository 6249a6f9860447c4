import type { ShownThread } from './format-thread.ts';

/** The headings of an account's comments, such as `✅ Task completed`, oldest first; the first line where there is none. */
export function headingsOf({ comments }: Pick<ShownThread, 'comments'>, author: string): string[] {
  return comments.flatMap((comment) => (comment.author === author ? [headingOf(comment.body)] : []));
}

function headingOf(body: string): string {
  const visible = body.replace(/<!--[\s\S]*?-->/g, '').trim();
  return /^## (.+)$/m.exec(visible)?.[1] ?? visible.split('\n')[0] ?? '';
}
