import {
  type Account,
  isSameAccount,
  type PlatformThread,
  type RepositoryDescription,
  type Thread,
} from '@agent/platforms';
import { cleanName, type Locale, localeOf } from '@agent/text';
import { changeRequestKindOf, type RepositoryFacts, type RunFacts } from '../run/run-facts.ts';
import type { ThreadSnapshot } from '../run/run-thread.ts';
import { listSaidBefore } from '../thread/detection-record.ts';
import { findBranchGuard } from './branch-guard.ts';
import { chooseBranch } from './choose-branch.ts';

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
 * Finds out what a run works on: for an issue a branch of its own, for a pull or merge request that request's own head, or a branch
 * of its own into that head if nothing may be pushed there, and nothing where the platform has no repository.
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
  const kind = changeRequestKindOf(thread.key);
  const description = await ports.repository?.describe({ signal });
  if (description === undefined) return { ...common, kind, repository: null };
  const guard = await findBranchGuard(ports, { branch, description, signal });
  const own = guard !== null && ports.changeRequests !== null;
  const repository = own
    ? { branch: await nameBranch(snapshot, { ...options, kind: 'request' }), baseBranch: branch, isOwn: true }
    : { branch, baseBranch, isOwn: false };
  return { ...common, kind, repository: { ...toPlace(description), ...repository } };
}

async function describeWork(
  snapshot: FoundThread,
  options: Pick<CollectFactsOptions, 'branchPrefix' | 'signal'>,
): Promise<RepositoryFacts | null> {
  const { repository } = snapshot.ports;
  if (repository === null) return null;
  const description = await repository.describe(options);
  const branch = await nameBranch(snapshot, { ...options, kind: 'issue' });
  return { ...toPlace(description), branch, baseBranch: description.defaultBranch, isOwn: true };
}

function nameBranch(
  { thread, ports }: FoundThread,
  {
    branchPrefix: prefix,
    kind,
    signal,
  }: Pick<CollectFactsOptions, 'branchPrefix' | 'signal'> & { readonly kind: 'issue' | 'request' },
): Promise<string> {
  // The title goes on into branches, commits, requests and logs: nothing hidden goes with it.
  const title = thread.confidential ? '' : cleanName(thread.title);
  return chooseBranch(ports.changeRequests, { prefix, kind, number: thread.number, title, signal });
}

interface FoundThread {
  readonly thread: Thread;
  readonly ports: PlatformThread;
}

function toPlace({ id, path, cloneUrl }: RepositoryDescription) {
  return { id, path, cloneUrl };
}
