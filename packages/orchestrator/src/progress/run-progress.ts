import type { CommentWriter } from '@agent/platforms';
import type { RecordPosition } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { RunLogger } from '../ports.ts';
import type { RunClaim } from '../run/run-claim.ts';
import type { RunAudience } from '../run/run-thread.ts';
import type { EditBudget, EditKind } from './edit-budget.ts';
import { formatSeparateComment } from './format-progress.ts';
import type { ReadProgress } from './read-progress.ts';

/** Shows people on the thread what becomes of a run, in one comment that is edited. */
export interface RunProgress {
  /**
   * Shows what changed: a change of phase at once, a step where the last edit is a minute old. Resolves once nothing is
   * written any more; never rejects. What could not be shown is shown with a later change.
   */
  readonly changed: (kind: EditKind) => Promise<void>;
  /**
   * Shows how the run rests, and nothing after it; `withdrawn` takes its claim back. `position`: place of the record of a
   * pause; default: where it is now.
   *
   * @throws PlatformError where that cannot be written
   */
  readonly rest: (state: 'paused' | 'ended' | 'withdrawn', position?: RecordPosition) => Promise<void>;
}

/** Milliseconds between two edits for single steps: after each, the next listing of the thread costs a request. */
const editIntervalMs = 60_000;

export interface ProgressingRun {
  readonly uuid: string;
  readonly claim: Pick<RunClaim, 'isKept' | 'renew' | 'end' | 'withdraw'>;
  readonly logger: RunLogger;
  readonly locale: Locale;
  readonly thread: {
    readonly audience: Pick<RunAudience, 'isInternal'>;
    readonly ports: { readonly writer: CommentWriter };
  };
  readonly read: ReadProgress;
}

export interface RunProgressOptions {
  readonly budget: EditBudget;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
}

/**
 * Creates what shows the progress of one run. The comment is the claim of the run, as long as everybody may read what it
 * says; otherwise one of its own.
 */
export function createRunProgress(run: ProgressingRun, options: RunProgressOptions): RunProgress {
  const { claim, read, logger } = run;
  const { budget, shutdown: signal, now } = options;
  let shown = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  let missed: EditKind = 'step';
  let isResting = false;
  let last = Promise.resolve();
  const show = async (kind: EditKind): Promise<void> => {
    if (isResting || (kind === 'step' && now() - shownAt < editIntervalMs)) return;
    const text = await read({ isOver: false });
    const isDue = text !== shown;
    if (isDue) missed = kind;
    if (isDue && !budget.take(kind)) return;
    shownAt = now();
    if (isDue) {
      if (await showsInClaim(run)) await claim.renew('working', { signal });
      else await writeSeparate(run, text, signal);
    }
    shown = text;
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
    await (state === 'paused' ? claim.renew('paused', { position }) : claim.end());
    if (!(await showsInClaim(run))) await writeSeparate(run, await read({ isOver: state === 'ended' }));
  };
  return { changed, rest };
}

/** Its claim is for everybody: what rests on an internal note stands in a comment for those who may read that. */
async function showsInClaim({ claim, thread: { audience } }: ProgressingRun): Promise<boolean> {
  return claim.isKept && !(await audience.isInternal());
}

async function writeSeparate(
  { uuid, locale, thread: { ports } }: ProgressingRun,
  sections: string,
  signal?: AbortSignal,
): Promise<void> {
  if (sections === '') return;
  await ports.writer.ensureComment({
    topic: `run:${uuid}:progress`,
    body: formatSeparateComment(sections, locale),
    signal,
  });
}
