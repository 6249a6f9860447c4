import type { Account, PlatformThread, Thread } from '@agent/platforms';

/**
 * Finds the author of the present title and text: of the last edit, or of the thread if none is known. Null if the account is gone.
 *
 * @throws PlatformError when the platform could not be asked
 */
export async function findTextAuthor(
  { history }: Pick<PlatformThread, 'history'>,
  { author, createdAt }: Pick<Thread, 'author' | 'createdAt'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Account | null> {
  const edits = (await history?.listEdits({ since: createdAt, signal })) ?? [];
  const [last] = edits
    .filter(({ part }) => part === 'title' || part === 'body')
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return last === undefined ? author : last.actor;
}
