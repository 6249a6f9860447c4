import {
  type Account,
  isSameAccount,
  type PlatformThread,
  type RepositoryDescription,
  type Thread,
} from '@agent/platforms';
import { cleanName, type Locale, localeOf } from '@agent/text';
import { changeRequestKindOf } from './change-request-words.ts';
import { chooseBranch } from './choose-branch.ts';
import type { RepositoryFacts, RunFacts } from './run.ts';

export interface CollectFactsOptions {
  readonly locale: 'auto' | Locale;
  /** Who we are. */
  readonly ownAccount: Account;
  readonly handover: RunFacts['handover'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a run works on: for an issue a branch of its own, for a pull or merge request that request's own head, and
 * nothing where the platform has no repository.
 */
export async function collectFacts(
  snapshot: { readonly thread: Thread; readonly ports: PlatformThread },
  options: CollectFactsOptions,
): Promise<RunFacts> {
  const { thread, ports } = snapshot;
  const { signal } = options;
  const common = {
    number: thread.number,
    title: cleanName(thread.title),
    url: thread.url,
    locale: localeOf(thread, { setting: options.locale }),
    threadUpdatedAt: thread.updatedAt,
    handover: options.handover,
    assigned: thread.assignees.some((account) => isSameAccount(account, options.ownAccount)),
  };
  if (thread.changeRequest === null) {
    return { ...common, kind: 'issue', repository: await describeWork(snapshot, signal) };
  }
  const { headBranch: branch, baseBranch } = thread.changeRequest;
  const description = await ports.repository?.describe({ signal });
  const repository = description === undefined ? null : { ...toPlace(description), branch, baseBranch };
  return { ...common, kind: changeRequestKindOf(thread.key), repository };
}

async function describeWork(
  { thread, ports }: { readonly thread: Thread; readonly ports: PlatformThread },
  signal: AbortSignal | undefined,
): Promise<RepositoryFacts | null> {
  if (ports.repository === null) return null;
  const description = await ports.repository.describe({ signal });
  const { number } = thread;
  // The title goes on into branches, commits, requests and logs: nothing hidden goes with it.
  const title = thread.confidential ? '' : cleanName(thread.title);
  const branch = await chooseBranch(ports.changeRequests, { number, title, signal });
  return { ...toPlace(description), branch, baseBranch: description.defaultBranch };
}

function toPlace({ id, path, cloneUrl }: RepositoryDescription) {
  return { id, path, cloneUrl };
}
