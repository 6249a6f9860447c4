import type { Account, Comment, Thread } from '@agent/platforms';
import type { CleanText } from './create-text-cleaner.ts';

/** The thread without what no page shows: title, text, labels and the author's name. */
export async function cleanThread(thread: Thread, clean: CleanText): Promise<Thread> {
  const [title, body, labels, author] = await Promise.all([
    clean(thread.title, thread.url),
    clean(thread.body, thread.url),
    Promise.all(thread.labels.map((label) => clean(label))),
    cleanAccount(thread.author, clean),
  ]);
  return { ...thread, title, body, labels, author };
}

/** The comments without what no page shows, asked for together, so that they go in few messages. */
export function cleanComments(comments: readonly Comment[], clean: CleanText): Promise<readonly Comment[]> {
  return Promise.all(
    comments.map(async (comment) => {
      const { body, url } = comment;
      const [shown, author] = await Promise.all([clean(body, url), cleanAccount(comment.author, clean)]);
      return { ...comment, body: shown, author };
    }),
  );
}

async function cleanAccount(account: Account | null, clean: CleanText): Promise<Account | null> {
  return account === null ? null : { ...account, login: await clean(account.login) };
}
