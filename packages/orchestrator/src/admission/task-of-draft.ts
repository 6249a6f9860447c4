import {
  type Account,
  type Comment,
  formatTaskKey,
  type PlatformError,
  type TaskKey,
  type Thread,
} from '@agent/platforms';
import type { PausedRuns, RunControls, RunReader } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';
import { findTextAuthors, type ReadTextAuthors } from '../past/find-text-author.ts';
import type { ConfiguredPlatform, OpenedThread } from '../run/run-thread.ts';
import { isOver, readWait } from '../state/waits.ts';
import { isOwnThread } from '../thread/trust.ts';
import type { RecordedThread } from '../triggers/handover-records.ts';
import { readIssueNumber } from './choose-branch.ts';
import { ThreadHeldError } from './thread-held.ts';

/** Issue that a change request of the agent was opened for: runs on either are filed under it. */
export interface TaskOfDraft {
  readonly filedAs: RecordedThread;
  readonly issue: Thread;
  readonly readTextAuthors: ReadTextAuthors;
  /** Lists what was said on the issue. */
  readonly listComments: () => Promise<readonly Comment[]>;
}

/**
 * Finds the issue that a change request belongs to: the agent opened both the request and its branch for it. Null for all others, and
 * where fewer people read the issue than the request.
 */
export async function findTaskOfDraft(
  { platform: { platform }, ports }: Pick<OpenedThread, 'ports'> & Pick<ConfiguredThread, 'platform'>,
  { thread, ownAccount, branchPrefix: prefix, signal }: DraftQuestion,
): Promise<TaskOfDraft | null> {
  const request = thread.changeRequest;
  if (request === null || request.fromFork || !isOwnThread(thread, ownAccount)) return null;
  const number = readIssueNumber(request.headBranch, { prefix });
  const key = number === null ? null : toIssueKey(ports.key, number);
  if (key === null) return null;
  const { reader, comments, history } = platform.openThread(key);
  let issue: Thread;
  try {
    issue = await reader.readThread({ signal });
  } catch (error) {
    // There is none, or the number is that of another change request.
    const { code } = error as Partial<Pick<PlatformError, 'code'>>;
    if (code === 'not-found' || code === 'invalid') return null;
    throw error;
  }
  if (issue.confidential) return null;
  return {
    issue,
    filedAs: { host: platform.host, taskKeyText: formatTaskKey(key) },
    readTextAuthors: () => findTextAuthors({ history }, issue, { signal }),
    listComments: async () => {
      const listing = await comments.listComments({ since: null, fresh: true, signal });
      return listing.comments.filter(({ visibility }) => visibility === 'public');
    },
  };
}

interface ConfiguredThread {
  readonly platform: Pick<ConfiguredPlatform, 'platform'>;
}

interface DraftQuestion {
  readonly thread: Pick<Thread, 'author' | 'changeRequest'>;
  /** The agent's own account. */
  readonly ownAccount: Account;
  /** Setting `branch_prefix`. */
  readonly branchPrefix: string;
  readonly signal?: AbortSignal | undefined;
}

function toIssueKey(key: TaskKey, number: number): TaskKey | null {
  switch (key.type) {
    case 'github_pull_request':
      return { ...key, type: 'github_issue', number };
    case 'gitlab_merge_request':
      return { type: 'gitlab_issue', projectId: key.projectId, issueIid: number };
    default:
      return null;
  }
}

export interface WaitingSiblingOptions {
  readonly store: Pick<PausedRuns<unknown>, 'listPaused'>;
  readonly listRunning: RunReader<unknown>['listRunning'];
  readonly controls: Pick<RunControls, 'request'>;
  readonly now: () => number;
  readonly logger: Pick<RunLogger, 'info'>;
}

/**
 * Lets a run of the same task that waits for people go on instead of a new one.
 *
 * @returns false where none waits
 * @throws ThreadHeldError where one is at work: it is asked again once that is at rest
 */
export type WakeSibling = (task: TaskOfDraft) => Promise<boolean>;

/** Creates it. */
export function createWakeSibling(options: WaitingSiblingOptions): WakeSibling {
  const { store, listRunning, controls, now, logger } = options;
  return async ({ filedAs }) => {
    const atWork = (await listRunning({ of: filedAs })).find(({ outcome }) => outcome === null);
    if (atWork !== undefined)
      throw new ThreadHeldError({ thread: filedAs.taskKeyText, holder: atWork.uuid, why: 'at-work' });
    const { runs } = await store.listPaused();
    const waiting = runs.find(({ metadata, state }) => {
      const wait = readWait(state);
      const isOfTask = metadata.taskKeyText === filedAs.taskKeyText && metadata.host === filedAs.host;
      return isOfTask && wait !== null && !isOver(wait, now());
    });
    if (waiting === undefined) return false;
    await controls.request(waiting.uuid, 'resume');
    logger.info(
      { run: waiting.uuid, task: filedAs.taskKeyText },
      'resuming run: pull request was assigned again',
    );
    return true;
  };
}
