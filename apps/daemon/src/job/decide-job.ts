import type { JobEvent, JobThread } from './job-event.ts';

/** Result of looking at the event of a job. */
export type JobDecision =
  | { readonly kind: 'run'; readonly thread: JobThread }
  /** Nothing is to be done for this event. */
  | { readonly kind: 'skip'; readonly reason: SkipReason }
  /** The workflow has to be changed: it would be unsafe to run. */
  | { readonly kind: 'refuse'; readonly reason: 'unsafe-event' | 'unknown-event' };

/** Reason for which an event starts no run. */
export type SkipReason = 'own-act' | 'bot' | 'fork' | 'no-thread' | 'other-action';

/** Actions of each event that can give the agent something to do. `null`: the event has no action. */
const actions: Readonly<Record<JobEvent['platform'], Readonly<Record<string, readonly (string | null)[]>>>> =
  {
    github: {
      issues: ['opened', 'reopened', 'labeled', 'assigned', 'edited', 'closed', 'unlabeled', 'unassigned'],
      issue_comment: ['created', 'edited'],
      pull_request_review: ['submitted'],
      pull_request_review_comment: ['created', 'edited'],
      workflow_dispatch: [null],
    },
    gitlab: {
      issue: ['open', 'reopen', 'update', 'close'],
      merge_request: ['open', 'reopen', 'update', 'close', 'approved'],
      // A pipeline that was started by hand, or by the job before.
      manual: [null],
      // Older servers name no action.
      note: [null, 'create', 'update'],
    },
  };

/** Events in which GitHub gives the secrets of the repository to code that anyone can propose, or that carry no thread. */
const unsafe = new Set(['pull_request_target', 'pull_request', 'workflow_run', 'push']);

/** Mark at the beginning of each comment of the agent. */
const ownMark = '<!-- agent-comment: ';

/**
 * Decides what a job does about its event. `ownLogin`: account that the agent works with; null if it is not known.
 *
 * @example
 * const decision = decideJob(event, { ownLogin: 'acme-agent' });
 * if (decision.kind === 'run') await work(decision.thread.url);
 */
export function decideJob(event: JobEvent, { ownLogin }: { readonly ownLogin: string | null }): JobDecision {
  const { platform, name, action, thread, actor } = event;
  if (platform === 'github' && unsafe.has(name)) return { kind: 'refuse', reason: 'unsafe-event' };
  if (name === 'system note') return { kind: 'skip', reason: 'other-action' };
  const known = Object.hasOwn(actions[platform], name) ? actions[platform][name] : undefined;
  if (known === undefined) return { kind: 'refuse', reason: 'unknown-event' };
  if (!known.includes(action)) return { kind: 'skip', reason: 'other-action' };
  if (thread === null) return { kind: 'skip', reason: 'no-thread' };
  if (thread.isFromFork === true) return { kind: 'skip', reason: 'fork' };
  // A job that continues a run is started by the job before.
  if (name === 'workflow_dispatch' || name === 'manual') return { kind: 'run', thread };
  if (isOwn(event, ownLogin)) return { kind: 'skip', reason: 'own-act' };
  if (actor.isBot) return { kind: 'skip', reason: 'bot' };
  return { kind: 'run', thread };
}

function isOwn({ actor, text }: Pick<JobEvent, 'actor' | 'text'>, ownLogin: string | null): boolean {
  if (ownLogin !== null && actor.login.toLowerCase() === ownLogin.toLowerCase()) return true;
  return text?.startsWith(ownMark) ?? false;
}

/**
 * Names the ref that holds the record of a thread's task. A draft of the agent belongs to the task of its issue, which its branch names.
 * `branchPrefix`: setting `branch_prefix`.
 */
export function nameRecord(
  { kind, number, branch }: Pick<JobThread, 'kind' | 'number' | 'branch'>,
  { branchPrefix }: { readonly branchPrefix: string },
): string {
  const stems = [`${branchPrefix}/issue-`, `${branchPrefix.replaceAll('/', '-')}-issue-`];
  const stem = stems.find((one) => branch?.startsWith(one));
  const issue = stem === undefined ? undefined : /^(\d{1,10})-/.exec(branch?.slice(stem.length) ?? '')?.[1];
  if (kind === 'issue') return `${recordRefs}issue-${number}`;
  return issue === undefined ? `${recordRefs}request-${number}` : `${recordRefs}issue-${issue}`;
}

/** Beginning of the names of all records. */
export const recordRefs = 'refs/agent/records/';
