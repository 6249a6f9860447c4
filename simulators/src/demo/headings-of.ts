import type { DemoThread } from './demo-forge.ts';

type Comments = Pick<DemoThread, 'comments'>;

/** The headings of an account's comments, such as `✅ Task completed`, oldest first, without that of its status. */
export function headingsOf({ comments }: Comments, author: string): string[] {
  return listHeadings({ comments: comments.filter(({ body }) => !statusMarker.test(body)) }, author);
}

/** The comment in which an account shows the progress of its run; empty for none. */
export function progressOf({ comments }: Comments, author: string): string {
  return comments.find((comment) => comment.author === author && statusMarker.test(comment.body))?.body ?? '';
}

/** The headings of all its comments; the first line where there is none. */
export function listHeadings({ comments }: Comments, author: string): string[] {
  return comments.flatMap((comment) => (comment.author === author ? [headingOf(comment.body)] : []));
}

const statusMarker = /^<!-- agent-comment: run:\S+:status -->/;

function headingOf(body: string): string {
  const visible = body.replace(/<!--[\s\S]*?-->/g, '').trim();
  return /^## (.+)$/m.exec(visible)?.[1] ?? visible.split('\n')[0] ?? '';
}
