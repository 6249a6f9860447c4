import {
  type Account,
  type ChangeRequests,
  isSameAccount,
  type PlatformThread,
  type RepositoryDescription,
  type Thread,
} from '@agent/platforms';
import { cleanName, type Locale, localeOf } from '@agent/text';
import { listSaidBefore } from '../inbox/detection-record.ts';
import { changeRequestKindOf, type RepositoryFacts, type RunFacts } from './run-facts.ts';
import type { ThreadSnapshot } from './run-thread.ts';

export interface CollectFactsOptions {
  readonly locale: 'auto' | Locale;
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

/** A branch name is cut to this, so that it stays readable in lists; well below what git allows. */
const maxBranchChars = 60;

export interface BranchSubject {
  readonly number: number;
  readonly title: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The branch that an issue's changes go to: `agent/issue-{number}-{slug}`. A branch that an earlier run left is
 * found by its prefix and continued while its change request is open or was never made; once that is closed or
 * merged, the new branch gets a suffix. Without change requests it is always the same branch.
 */
export async function chooseBranch(
  changeRequests: ChangeRequests | null,
  subject: BranchSubject,
): Promise<string> {
  const prefix = `agent/issue-${subject.number}-`;
  const own = `${prefix}${toSlug(subject.title, maxBranchChars - prefix.length)}`;
  if (changeRequests === null) return own;
  const branches = await changeRequests.listBranches({ prefix, signal: subject.signal });
  for (const { name } of branches) {
    const found = await changeRequests.findChangeRequest({ headBranch: name, signal: subject.signal });
    if (found === null || found.state === 'open') return name;
  }
  const taken = new Set(branches.map((branch) => branch.name));
  if (!taken.has(own)) return own;
  let suffix = 2;
  while (taken.has(`${own}-${suffix}`)) suffix += 1;
  return `${own}-${suffix}`;
}

/** Words of the title that git, shells and addresses all take as they are; `task` when there are none. */
export function toSlug(title: string, maxChars: number): string {
  const plain = title.slice(0, 500).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, maxChars) : `${slug}-${word}`;
    if (longer.length > maxChars) break;
    slug = longer;
  }
  return slug === '' ? 'task' : slug;
}
