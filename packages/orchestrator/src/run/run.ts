import { PlatformError, type PlatformThread, type RepositoryDescription } from '@agent/platforms';
import type { Outbox, RecordPosition, RunJournal, RunState } from '@agent/run-store';
import type { ModelFailure, RunEvent } from '@agent/runner';
import type { WorkspaceTask } from '@agent/workspace';
import type { ModelMessage } from 'ai';
import type { RunLogger } from '../host/ports.ts';
import type { RunLineage } from '../past/run-lineage.ts';
import type { LeftState, RunClaim } from './run-claim.ts';
import type { RunFacts } from './run-facts.ts';
import type { RecordCheck } from './run-record.ts';
import type { RunThread } from './run-thread.ts';
import { isDeleted, ThreadDeletedError } from './watch-thread.ts';

/** One run while this process carries it: its identity, its record and its thread. */
export interface Run {
  readonly uuid: string;
  readonly facts: RunFacts;
  readonly lineage: RunLineage;
  /** When it began (ISO 8601). */
  readonly startedAt: string;
  readonly thread: RunThread;
  /** Its claim on the thread. */
  readonly claim: RunClaim;
  /** Shows people what becomes of it. */
  readonly progress: RunProgress;
  /** Notices where the record lacks what it held, and when another process has taken it over. */
  readonly recordCheck: RecordCheck;
  readonly journal: RunJournal<ModelMessage>;
  /** Entries of what it wants done outside of it. */
  readonly outbox: Outbox;
  /** Place of the record's last line. */
  readonly position: () => RecordPosition;
  /** State that is kept with it, by name. */
  readonly state: RunState;
  readonly logger: RunLogger;
}

/** Importance of an edit: a change of phase may use up what single steps leave. */
export type EditKind = 'step' | 'phase';

/** Shows people on the thread what becomes of a run, in one comment that is edited. */
export interface RunProgress {
  /**
   * Shows what changed: a change of phase at once, a step where the last edit is old enough. Resolves once nothing is
   * written any more; never rejects. What could not be shown is shown with a later change.
   */
  readonly changed: (kind: EditKind) => Promise<void>;
  /** Hears what the run does, and shows it as a step. */
  readonly hear: (event: RunEvent) => void;
  /** Receives why the model cannot be called; null if it can. */
  readonly modelIsAway: (failure: Pick<ModelFailure, 'kind' | 'remedy'> | null) => void;
  /**
   * Gives signs of life from now on, and names what the run waits for, until it rests or is left. To be called once the thread is claimed. One that
   * is taken up says so once more after a while: whoever found it left may have said that at the same moment.
   */
  readonly begin: (options?: {
    /** True where an earlier process had the run. Default false. */ readonly isTakenUp?: boolean;
  }) => void;
  /**
   * Ends the signs of life of a run that does not rest, and says that nothing works on it: `queued` where it goes on by itself,
   * `interrupted` where this process ends. Never rejects, and takes seconds at most.
   */
  readonly leave: (state: LeftState) => Promise<void>;
  /**
   * Shows how the run rests, and nothing after it; `withdrawn` takes its claim back. `position`: place of the record of a
   * pause; default: where it is now.
   *
   * @throws PlatformError where that cannot be written
   */
  readonly rest: (
    state: 'paused' | 'watching' | 'ended' | 'withdrawn',
    position?: RecordPosition,
  ) => Promise<void>;
}

/** Another repository or thread is where the one of a run was: nothing of the run may be read from it, pushed or said to it. */
export class OtherRepositoryError extends Error {
  constructor({ path, now }: { readonly path: string; readonly now: string }) {
    super(
      `${now} is not the ${path.includes('#') ? 'thread' : 'repository'} that ${path} was when this run started. Nothing was pushed or written there. If the original repository was moved, move it back, or purge this task. Its work is in the local branch.`,
    );
    this.name = 'OtherRepositoryError';
  }
}

/**
 * Asks where the run's repository is now; a rename is followed.
 *
 * @returns null for a run without a repository
 * @throws OtherRepositoryError when another one has taken its place
 */
export async function confirmRepository(
  { facts, thread: { ports } }: Pick<Run, 'facts'> & { readonly thread: Pick<Run['thread'], 'ports'> },
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<RepositoryDescription | null> {
  if (facts.repository === null || ports.repository === null) return null;
  const { id, path } = facts.repository;
  const now = await ports.repository.describe({ signal });
  if (id !== null && now.id !== id) throw new OtherRepositoryError({ path, now: now.path });
  return now;
}

/**
 * Confirms that a thread and its repository are those of a run, by their ids: a name can pass to another one. An adapter's
 * thread is known by its key alone.
 *
 * @returns false if there is no such thread or repository now
 * @throws OtherRepositoryError when another one has taken the place of one of them
 */
export async function confirmThread(
  facts: RunFacts,
  { ports, signal }: { readonly ports: PlatformThread; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  try {
    await confirmRepository({ facts, thread: { ports } }, { signal });
    if (facts.threadId === null || ports.key.type === 'custom') return true;
    const { id } = await ports.reader.readThread({ signal });
    if (id === facts.threadId) return true;
  } catch (error) {
    if (PlatformError.isInstance(error) && error.code === 'not-found') return false;
    throw error;
  }
  const path = `${facts.repository?.path ?? ''}#${facts.number}`;
  throw new OtherRepositoryError({ path, now: path });
}

/** Requires that the thread of a run is still there. @throws OtherRepositoryError; ThreadDeletedError */
export async function requireThread(
  facts: RunFacts,
  at: { readonly ports: PlatformThread; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  if (!(await confirmThread(facts, at)) && (await isDeleted(at.ports))) throw new ThreadDeletedError();
}

/** The worktree that belongs to a run, the same after every start; null for a run without a repository. */
export function toWorkspaceTask(
  run: Pick<Run, 'uuid' | 'facts' | 'thread' | 'lineage'>,
): WorkspaceTask | null {
  const { repository } = run.facts;
  if (repository === null) return null;
  return {
    uuid: run.uuid,
    host: run.thread.platform.platform.host,
    repositoryPath: repository.path,
    repositoryId: repository.id,
    cloneUrl: repository.cloneUrl,
    branch: repository.branch,
    baseBranch: repository.baseBranch,
    branchMustExist: !repository.isOwn,
    head: repository.isOwn ? null : (run.facts.handover?.head ?? null),
    goesOnFrom: run.lineage.retryOf ?? run.lineage.planOf,
  };
}
