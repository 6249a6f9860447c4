import type { CommentWriter } from '@agent/platforms';
import { ErrorEpisodes } from '@agent/text';
import type { RunLogger } from '../host/ports.ts';
import { type RepeatTask, repeatUnreferenced } from '../host/repeat-task.ts';
import type { EditKind, RunProgress } from '../run/run.ts';
import type { RunClaim } from '../run/run-claim.ts';
import type { EditBudget } from './edit-budget.ts';
import type { Pulse } from './pulse.ts';
import { beatMinutes } from './vitals.ts';

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
  readonly claim: Pick<RunClaim, 'isKept' | 'renew' | 'rest' | 'end' | 'commentId' | 'withdraw'>;
  readonly pulse: Pulse;
  readonly logger: RunLogger;
  readonly thread: { readonly ports: { readonly writer: CommentWriter } };
  readonly read: ReadComments;
  /** Called with each comment that shows something of the run, once it is written. Default: nothing. */
  readonly onShown?:
    | ((shown: Pick<ShownComment, 'topic'> & { readonly id: string }) => Promise<void>)
    | undefined;
  /** Tells whether the claim of the run shows its progress. */
  readonly showsInClaim: () => Promise<boolean>;
}

export interface RunProgressOptions {
  readonly budget: EditBudget;
  /** Milliseconds between two edits for single steps, asked before each. */
  readonly editIntervalMs: () => number;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Default an unreferenced interval. */
  readonly repeat?: RepeatTask | undefined;
}

/** Milliseconds between two looks at a run's pulse. */
const lookMs = 10_000;
/** Milliseconds between two edits that name, or name no longer, what a run waits for. */
const namingMs = 40_000;
/** Milliseconds after which an edit that failed is tried again. */
const retryMs = 30_000;
/** Milliseconds after which a sign of life is due: a look, a full budget and a slow platform fit into the rest of the promised time. */
const beatMs = (beatMinutes - 1) * 60_000;
/** Milliseconds that a process which ends takes to say that it leaves a run. */
const leavingMs = 3_000;

/** Creates what shows the progress of one run. */
export function createRunProgress(run: ProgressingRun, options: RunProgressOptions): RunProgress {
  const { claim, read, showsInClaim, pulse, logger } = run;
  const { budget, editIntervalMs, shutdown: signal, now, sleep, repeat = repeatUnreferenced } = options;
  const shown = new Map<string, string>();
  let shownAt = Number.NEGATIVE_INFINITY;
  // Null where the comment says another state.
  let said: Said | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let missed: EditKind = 'step';
  let stop: (() => void) | null = null;
  let isResting = false;
  let isLooking = false;
  const episodes = new ErrorEpisodes({ now });
  let last = Promise.resolve();
  const isDue = ({ topic, body }: ShownComment) => shown.get(topic) !== body;
  const isInClaim = async ({ topic }: ShownComment) => topic === progressTopic && (await showsInClaim());
  const renew = async (): Promise<string | null> => {
    triedAt = now();
    const saying = { at: triedAt, wait: nameWait(pulse) };
    await claim.renew('working', { signal });
    said = saying;
    return claim.commentId();
  };
  const show = async (kind: EditKind): Promise<void> => {
    if (isResting || (kind === 'step' && now() - shownAt < editIntervalMs())) return;
    for (const comment of (await read({ isOver: false })).filter(isDue)) {
      missed = kind;
      if (!(await budget.take(kind))) return;
      shownAt = now();
      const id = (await isInClaim(comment)) ? await renew() : await writeComment(run, comment, signal);
      if (id !== null) await run.onShown?.({ topic: comment.topic, id });
      shown.set(comment.topic, comment.body);
    }
    shownAt = now();
    missed = 'step';
  };
  const look = async (): Promise<void> => {
    await show(missed);
    if (isResting || !claim.isKept || Math.abs(now() - triedAt) < retryMs) return;
    const kind = findBeat(said, { at: now(), wait: nameWait(pulse) });
    if (kind !== null && (await budget.take(kind))) await renew();
  };
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    last = last.then(task).then(
      () => episodes.end(''),
      (error: unknown) => {
        if (!signal.aborted) episodes.fail('', error, { logger, message: 'failed to edit progress comment' });
      },
    );
    return last;
  };
  const changed = (kind: EditKind) => inTurn(() => show(missed === 'phase' ? missed : kind));
  const rest = async (): Promise<void> => {
    isResting = true;
    stop?.();
    stop = null;
    await last;
  };
  const writeOthers = async (shownAs: { readonly isOver: boolean }): Promise<void> => {
    for (const comment of (await read(shownAs)).filter(isDue))
      if (!(await isInClaim(comment))) await writeComment(run, comment);
  };
  return {
    changed,
    hear: (event) => {
      pulse.hear(event);
      if (event.type === 'step-start') void changed('step');
    },
    modelIsAway: pulse.modelIsAway,
    begin: ({ isTakenUp = false } = {}) => {
      said = isResting ? null : { at: now() - (isTakenUp ? beatMs - namingMs : 0), wait: '' };
      isResting = false;
      stop?.();
      stop = repeat(() => {
        if (isLooking) return;
        isLooking = true;
        void inTurn(look).then(() => {
          isLooking = false;
        });
      }, lookMs);
    },
    leave: async (state) => {
      if (stop === null || isResting) return;
      const over = new AbortController();
      const left = rest().then(() => inTurn(() => claim.renew(state, { signal: over.signal })));
      await Promise.race([left, sleep(leavingMs, over.signal)]);
      over.abort();
    },
    rest: async (state, position) => {
      await rest();
      if (state === 'withdrawn') return claim.withdraw();
      await (state === 'ended' ? claim.end() : claim.rest(state, position));
      await writeOthers({ isOver: state === 'ended' });
    },
  };
}

/** Words of the last edit: when it was made, and the wait that it named. */
interface Said {
  readonly at: number;
  readonly wait: string;
}

function nameWait(pulse: Pulse): string {
  const wait = pulse.read();
  return wait === null ? '' : `${wait.kind} ${wait.since}`;
}

/**
 * Finds whether something is to be said now: a wait that is named, or not any more, or a sign of life. A clock that jumped, as that of a
 * host that slept, is a reason as well.
 */
function findBeat(said: Said | null, { at, wait }: Said): EditKind | null {
  if (said === null) return 'phase';
  const sinceMs = at - said.at;
  if (wait !== said.wait && (sinceMs >= namingMs || sinceMs < 0)) return 'phase';
  return sinceMs >= beatMs || sinceMs < 0 ? 'step' : null;
}

async function writeComment(
  { uuid, thread: { ports } }: ProgressingRun,
  { topic, body }: ShownComment,
  signal?: AbortSignal,
): Promise<string> {
  const { id } = await ports.writer.ensureComment({ topic: `run:${uuid}:${topic}`, body, signal });
  return id;
}
