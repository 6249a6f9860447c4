import type { CallOptions } from '@agent/platforms';
import type { PauseSignal, RunControls } from '@agent/run-store';
import { combineSignals, type RunSignals, withCheckInterval } from '@agent/runner';
import type { RunLogger } from '../host/ports.ts';
import { FailureLog, type InterruptionSources } from './interrupt-run.ts';
import { ClaimLostError, type RunClaim, renewalMs } from './run-claim.ts';
import { watchControls, watchPauseSignal } from './run-record.ts';
import type { SignalChecks } from './signal-checks.ts';
import { type StopCause, type ThreadWatchSources, watchThread } from './watch-thread.ts';

/** Webhooks that arrived since the last call of each function. */
export interface ThreadRings {
  /** True for a webhook about the thread itself, such as that it was closed; comments of it are no such webhooks. */
  readonly takeThread: () => boolean;
  /** True for any webhook. */
  readonly takeAny: () => boolean;
}

/** Interruptions of one run. */
export interface RunControl {
  /** Read at every checkpoint. */
  readonly signals: RunSignals;
  /** Read during each step. */
  readonly interruptions: InterruptionSources;
  /** Checks before an attempt whether the run is to stop. The thread is read only if an earlier attempt set the label of a running task. */
  readonly isToldToStop: () => Promise<boolean>;
  /** Act on the thread that stopped the run; null if there was none. */
  readonly stopCause: () => StopCause | null;
  /** Requires that no checkpoint found the thread claimed by another run. @throws ClaimLostError */
  readonly requireThread: () => void;
}

export interface RunControlSources {
  readonly uuid: string;
  readonly controls: RunControls;
  readonly pauseSignal: Pick<PauseSignal, 'isSet'>;
  readonly thread: ThreadWatchSources;
  readonly rings: ThreadRings;
  readonly claim: Pick<RunClaim, 'hold'>;
  /** Confirms that the repository is still the one that the run began in. @throws OtherRepositoryError */
  readonly confirm: (call: CallOptions) => Promise<unknown>;
  readonly checks: SignalChecks;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/**
 * Combines the sources that can stop a run: the pause signal, requests of commands, and acts on its thread, each read at its
 * configured interval (RL-2, RL-3); and the loss of its thread to another run.
 */
export function createRunControl(sources: RunControlSources): RunControl {
  const { checks, now, logger } = sources;
  const thread = watchThread(sources.thread);
  const { takeThread } = sources.rings;
  let readAt = Number.NEGATIVE_INFINITY;
  const threadNow: RunSignals = {
    read: (call) => {
      readAt = now();
      return thread.read(call);
    },
  };
  const held = watchClaim(sources);
  const stopped: RunSignals = { read: async () => (thread.cause() === null ? 'none' : 'stop') };
  const pause = watchPauseSignal(sources.pauseSignal);
  const controls = watchControls(sources);
  const signals = combineSignals(
    [
      withCheckInterval(pause, {
        everyNthCall: checks.pauseEveryNth,
        now,
      }),
      controls,
      withCheckInterval(threadNow, {
        everyNthCall: checks.threadEveryNth,
        minIntervalMs: checks.threadIntervalMs,
        isNotified: takeThread,
        now,
      }),
      // What a check between two attempts found counts at once.
      stopped,
      held,
    ],
    { logger },
  );
  const beforeAttempt = withCheckInterval(combineSignals([{ read: thread.checkAgain }], { logger }), {
    everyNthCall: Math.min(checks.threadEveryNth, 1),
  });
  const isToldToStop = async () =>
    (await controls.read({})) === 'stop' || (await beforeAttempt.read({})) === 'stop';
  const { requireThread } = held;
  const requests = [withFailureLog(controls, new FailureLog(logger, 'requests of commands')), stopped];
  if (checks.pauseEveryNth > 0)
    requests.unshift(withFailureLog(pause, new FailureLog(logger, 'pause signal')));
  const stepIntervalMs = Math.max(checks.threadIntervalMs, shortestStepIntervalMs);
  const interruptions = {
    // A step can take an hour, in which no checkpoint reads the thread.
    thread: {
      read: async (call: CallOptions) => {
        const isDue = takeThread() || now() - readAt >= stepIntervalMs;
        return checks.threadEveryNth > 0 && isDue ? threadNow.read(call) : ('none' as const);
      },
    },
    // They are read each second: their failures are logged once.
    requests: combineSignals(requests),
    isNotified: sources.rings.takeAny,
  };
  return { signals, interruptions, isToldToStop, stopCause: thread.cause, requireThread };
}

/** Milliseconds between two readings of the thread during a step, at least. */
const shortestStepIntervalMs = 5_000;

function withFailureLog(signals: RunSignals, log: FailureLog): RunSignals {
  return {
    read: async (call) => {
      try {
        const signal = await signals.read(call);
        log.succeeded();
        return signal;
      } catch (error) {
        if (call.signal?.aborted !== true) log.failed(error);
        throw error;
      }
    },
  };
}

/**
 * Renews the claim at the checkpoints of the run once it is old enough. A renewal that fails is retried at the next checkpoint.
 */
function watchClaim({
  claim,
  confirm,
  now,
}: Pick<RunControlSources, 'claim' | 'confirm' | 'now'>): RunSignals & Pick<RunControl, 'requireThread'> {
  let heldAt = now();
  let lost: ClaimLostError | null = null;
  return {
    requireThread: () => {
      if (lost !== null) throw lost;
    },
    read: async ({ signal }) => {
      if (lost === null && now() - heldAt >= renewalMs) {
        // Another repository may have taken the name of one that moved: nothing is claimed there.
        await confirm({ signal });
        try {
          await claim.hold({ signal });
        } catch (error) {
          if (!(error instanceof ClaimLostError)) throw error;
          lost = error;
        }
        heldAt = now();
      }
      return lost === null ? 'none' : 'stop';
    },
  };
}
