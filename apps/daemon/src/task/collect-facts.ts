import {
  type Account,
  isSameAccount,
  PlatformError,
  type PlatformThread,
  type Thread,
} from '@agent/platforms';
import { cleanName } from '../text/clean-name.ts';
import { changeRequestKindOf } from './change-request-words.ts';
import { chooseBranch } from './choose-branch.ts';
import { localeOf } from './locale.ts';
import type { RepositoryFacts, RunFacts } from './run-parts.ts';

export interface CollectFactsOptions {
  readonly locale: 'auto' | 'ja' | 'en';
  /** Who we are. */
  readonly ownAccount: Account;
  readonly handover: RunFacts['handover'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a run works on: for an issue a branch of its own, for a pull or merge request that request's own head, and
 * nothing where the platform has no repository.
 *
 * @throws PlatformError `invalid` for a head whose fork is gone
 */
export async function collectFacts(
  snapshot: { readonly thread: Thread; readonly ports: PlatformThread },
  options: CollectFactsOptions,
): Promise<RunFacts> {
  const { thread } = snapshot;
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
  const { headBranch, headCloneUrl, headRepository, baseBranch } = thread.changeRequest;
  if (headCloneUrl === null || headRepository === null) {
    throw invalid(
      `${thread.url}: the repository of its head branch was deleted, so nothing can be pushed to it.`,
    );
  }
  return {
    ...common,
    kind: changeRequestKindOf(thread.key),
    repository: { path: headRepository, cloneUrl: headCloneUrl, branch: headBranch, baseBranch },
  };
}

async function describeWork(
  { thread, ports }: { readonly thread: Thread; readonly ports: PlatformThread },
  signal: AbortSignal | undefined,
): Promise<RepositoryFacts | null> {
  if (ports.repository === null) return null;
  const { path, cloneUrl, defaultBranch: baseBranch } = await ports.repository.describe({ signal });
  const { number } = thread;
  // The title goes on into branches, commits, requests and logs: nothing hidden goes with it.
  const title = cleanName(thread.title);
  return {
    path,
    cloneUrl,
    baseBranch,
    branch: await chooseBranch(ports.changeRequests, { number, title, signal }),
  };
}

function invalid(message: string): PlatformError {
  return new PlatformError(message, { code: 'invalid' });
}
