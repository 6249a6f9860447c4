import type { CommentWriter } from '@agent/platforms';
import type { RecordPosition } from '@agent/run-store';
import type { RunLogger } from '../ports.ts';
import type { RunClaim } from '../run/run-claim.ts';
import type { EditBudget, EditKind } from './edit-budget.ts';

/** Shows people on the thread what becomes of a run, in one comment that is edited. */
export interface RunProgress {
  /**
   * Shows what changed: a change of phase at once, a step where the last edit is old enough. Resolves once nothing is
   * written any more; never rejects. What could not be shown is shown with a later change.
   */
  readonly changed: (kind: EditKind) => Promise<void>;
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

/** Topic of what the claim shows where it may. */
export const progressTopic = 'progress';

/** A comment that shows something of a run. */
export interface ShownComment {
  /** Names it among those of the run. */
  readonly topic: string;
  readonly body: string;
}

/** Composes the comments of a run, as its record stands now. Never rejects. */
export type ReadComments = (shown: { readonly isOver: boolean }) => Promise<readonly ShownComment[]>;

export interface ProgressingRun {
  readonly uuid: string;
  readonly claim: Pick<RunClaim, 'isKept' | 'renew' | 'end' | 'withdraw'>;
  readonly logger: RunLogger;
  readonly thread: { readonly ports: { readonly writer: CommentWriter } };
  readonly read: ReadComments;
  /** Tells whether the claim of the run shows its progress. */
  readonly showsInClaim: () => Promise<boolean>;
}

export interface RunProgressOptions {
  readonly budget: EditBudget;
  /** Milliseconds between two edits for single steps, asked before each. */
  readonly editIntervalMs: () => number;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
}

/** Creates what shows the progress of one run. */
export function createRunProgress(run: ProgressingRun, options: RunProgressOptions): RunProgress {
  const { claim, read, showsInClaim, logger } = run;
  const { budget, editIntervalMs, shutdown: signal, now } = options;
  const shown = new Map<string, string>();
  let shownAt = Number.NEGATIVE_INFINITY;
  let missed: EditKind = 'step';
  let isResting = false;
  let last = Promise.resolve();
  const isDue = ({ topic, body }: ShownComment) => shown.get(topic) !== body;
  const isInClaim = async ({ topic }: ShownComment) => topic === progressTopic && (await showsInClaim());
  const show = async (kind: EditKind): Promise<void> => {
    if (isResting || (kind === 'step' && now() - shownAt < editIntervalMs())) return;
    for (const comment of (await read({ isOver: false })).filter(isDue)) {
      missed = kind;
      if (!(await budget.take(kind))) return;
      shownAt = now();
      if (await isInClaim(comment)) await claim.renew('working', { signal });
      else await writeComment(run, comment, signal);
      shown.set(comment.topic, comment.body);
    }
    shownAt = now();
    missed = 'step';
  };
  const changed = (kind: EditKind): Promise<void> => {
    last = last
      .then(() => show(missed === 'phase' ? missed : kind))
      .catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn({ err: error }, 'the comment that shows the progress could not be edited');
      });
    return last;
  };
  const rest: RunProgress['rest'] = async (state, position) => {
    isResting = true;
    await last;
    if (state === 'withdrawn') return claim.withdraw();
    await (state === 'ended' ? claim.end() : claim.renew(state, { position }));
    for (const comment of (await read({ isOver: state === 'ended' })).filter(isDue))
      if (!(await isInClaim(comment))) await writeComment(run, comment);
  };
  return { changed, rest };
}

async function writeComment(
  { uuid, thread: { ports } }: ProgressingRun,
  { topic, body }: ShownComment,
  signal?: AbortSignal,
): Promise<void> {
  await ports.writer.ensureComment({ topic: `run:${uuid}:${topic}`, body, signal });
}
