import type { DemoComment } from './demo-forge.ts';

/** The part of a thread that is read here. */
interface Comments {
  readonly comments: readonly Pick<DemoComment, 'author' | 'body'>[];
}

/** The headings of an account's comments, such as `✅ Task completed`, oldest first, without that of its status. */
export function headingsOf({ comments }: Comments, author: string): string[] {
  return listHeadings({ comments: comments.filter((comment) => !isProgress(comment)) }, author);
}

/** The comment in which an account shows the progress of its run; empty for none. */
export function progressOf({ comments }: Comments, author: string): string {
  return comments.find((comment) => comment.author === author && isProgress(comment))?.body ?? '';
}

/** True for the comment in which an agent shows its progress. */
export function isProgress({ body }: Pick<DemoComment, 'body'>): boolean {
  return statusMarker.test(body);
}

/** Every version of the comment in which an account shows its progress. */
export interface ProgressRecord {
  readonly versions: () => readonly string[];
  /** Adds the comment as it stands now, if it was edited. */
  readonly add: (thread: Comments) => void;
}

/** Creates an empty record for the comment of this account. */
export function createProgressRecord(author: string): ProgressRecord {
  const versions: string[] = [];
  return {
    versions: () => versions,
    add: (thread) => {
      const body = progressOf(thread, author);
      if (body !== '' && body !== versions.at(-1)) versions.push(body);
    },
  };
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
