import {
  type Account,
  isSameAccount,
  type PlatformThread,
  type RepositoryDescription,
  type Thread,
} from '@agent/platforms';
import { cleanName, type Locale, localeOf } from '@agent/text';
import { listSaidBefore } from '../inbox/detection-record.ts';
import { chooseBranch } from './choose-branch.ts';
import { changeRequestKindOf, type RepositoryFacts, type RunFacts } from './run-facts.ts';
import type { ThreadSnapshot } from './run-thread.ts';

export interface CollectFactsOptions {
  readonly locale: 'auto' | Locale;
  /** Setting `branch_prefix`. */
  readonly branchPrefix: string;
  /** The agent's own account. */
  readonly ownAccount: Account;
  readonly handover: RunFacts['handover'];
  readonly unanswered: RunFacts['unanswered'];
  readonly belongsTo: RunFacts['belongsTo'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a run works on: for an issue a branch of its own, for a pull or merge request that request's own head, and
 * nothing where the platform has no repository.
 */
export async function collectFacts(
  snapshot: ThreadSnapshot & { readonly ports: PlatformThread },
  options: CollectFactsOptions,
): Promise<RunFacts> {
  const { thread, ports } = snapshot;
  const { signal } = options;
  const common = {
    number: thread.number,
    threadId: thread.id,
    title: cleanName(thread.title),
    url: thread.url,
    locale: localeOf(thread, { setting: options.locale }),
    threadUpdatedAt: thread.updatedAt,
    saidBefore: listSaidBefore(snapshot),
    handover: options.handover,
    unanswered: options.unanswered,
    belongsTo: options.belongsTo,
    assigned: thread.assignees.some((account) => isSameAccount(account, options.ownAccount)),
  };
  if (thread.changeRequest === null) {
    return { ...common, kind: 'issue', repository: await describeWork(snapshot, options) };
  }
  const { headBranch: branch, baseBranch } = thread.changeRequest;
  const description = await ports.repository?.describe({ signal });
  const repository = description === undefined ? null : { ...toPlace(description), branch, baseBranch };
  return { ...common, kind: changeRequestKindOf(thread.key), repository };
}

async function describeWork(
  { thread, ports }: { readonly thread: Thread; readonly ports: PlatformThread },
  { branchPrefix: prefix, signal }: Pick<CollectFactsOptions, 'branchPrefix' | 'signal'>,
): Promise<RepositoryFacts | null> {
  if (ports.repository === null) return null;
  const description = await ports.repository.describe({ signal });
  const { number } = thread;
  // The title goes on into branches, commits, requests and logs: nothing hidden goes with it.
  const title = thread.confidential ? '' : cleanName(thread.title);
  const branch = await chooseBranch(ports.changeRequests, { prefix, number, title, signal });
  return { ...toPlace(description), branch, baseBranch: description.defaultBranch };
}

function toPlace({ id, path, cloneUrl }: RepositoryDescription) {
  return { id, path, cloneUrl };
}
