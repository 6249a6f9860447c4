import type { Account, PlatformThread, Thread } from '@agent/platforms';

/** Finds the authors of the present title and text. */
export type ReadTextAuthors = () => Promise<readonly (Account | null)[]>;

/**
 * Finds the authors of the present title and text: of the last edit of each, or of the thread if none is known. Null for an account
 * that is gone.
 *
 * @throws PlatformError when the platform could not be asked
 */
export async function findTextAuthors(
  { history }: Pick<PlatformThread, 'history'>,
  { author, createdAt }: Pick<Thread, 'author' | 'createdAt'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly (Account | null)[]> {
  const edits = (await history?.listEdits({ since: createdAt, signal })) ?? [];
  const newestFirst = edits.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (['title', 'body'] as const).map((part) => {
    const last = newestFirst.find((edit) => edit.part === part);
    return last === undefined ? author : last.actor;
  });
}

/** The one of several authors whose authority a text has: the first that is not trusted, if any. */
export async function findLeastTrusted(
  authors: readonly (Account | null)[],
  isTrusted: (account: Account | null) => Promise<boolean>,
): Promise<Account | null> {
  for (const author of authors) if (!(await isTrusted(author))) return author;
  return authors[0] ?? null;
}
