import { PlatformError, type ReactionMeaning, type ReactionWriter } from '@agent/platforms';
import type { Outbox } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';
import { type CommandAnswer, parseIntent, toReactionIntent } from '../intents/intents.ts';

export interface AcknowledgementsOptions {
  /** Null where the platform has none, or nobody wants them: then nothing is given. */
  readonly reactions: ReactionWriter | null;
  /** Keeps answers to commands, where the run is open: then nothing is given before `begin`. Default: nothing is kept. */
  readonly outbox?: Outbox | undefined;
  /** Aborted when the process is asked to end: what is not given by then is left. */
  readonly shutdown: AbortSignal;
  readonly logger: RunLogger;
  /** A signal that is aborted after so many milliseconds. Default the real clock. */
  readonly timeLimit?: ((milliseconds: number) => AbortSignal) | undefined;
}

/** Shows people by reactions that a run has heard them. A courtesy: it never fails a run and never holds one up. */
export interface Acknowledgements {
  /**
   * Has a reaction given, the same to the same comment once. Resolves before it is; the answer to a command (`done`, `refused`) is an
   * entry of the outbox then, so that it is given by the end of the run at the latest.
   */
  readonly give: (meaning: ReactionMeaning, commentIds: readonly string[]) => Promise<void>;
  /** Gives from now on, the thread being the run's: what was asked for, and what an earlier process left. */
  readonly begin: () => Promise<void>;
  /** Waits until what was asked for is given, 5 s at most; what is left then stays without. */
  readonly settle: () => Promise<void>;
}

/** Milliseconds that one reaction may take, and all that are left at a run's end. */
const patienceMs = 5_000;

/** After so many failures in a row, the run gives no more. */
const maxFailures = 3;

interface Wanted {
  readonly meaning: ReactionMeaning;
  readonly commentId: string;
}

/** Seeing a comment is a courtesy; the answer to a command has to arrive. */
function answersCommand(wanted: Wanted): wanted is CommandAnswer {
  return wanted.meaning !== 'seen';
}

/** Gives one reaction after the other, so that a run's own writes never wait for more than one of them. */
export function createAcknowledgements(options: AcknowledgementsOptions): Acknowledgements {
  const { reactions, outbox, shutdown, logger } = options;
  const { timeLimit = (limitMs) => AbortSignal.timeout(limitMs) } = options;
  const asked = new Set<string>();
  let waiting: Wanted[] = [];
  let failures = 0;
  let hasBegun = outbox === undefined;
  let giving: Promise<void> | null = null;
  let hurry = new AbortController();

  const giveOne = async (writer: ReactionWriter, wanted: Wanted, end: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([end, timeLimit(patienceMs)]);
    try {
      await Promise.race([writer.ensureReaction({ ...wanted, signal }), rejectOn(signal)]);
      failures = 0;
      if (answersCommand(wanted))
        await outbox?.settle(toReactionIntent(wanted).id, { state: 'done', made: {} });
    } catch (error) {
      if (end.aborted) return;
      const isGone = PlatformError.isInstance(error) && error.code === 'not-found';
      if (!isGone) failures += 1;
      const level = isGone ? 'debug' : 'warn';
      logger[level]({ ...wanted, err: error, failures }, 'failed to add reaction');
    }
  };
  const giveWaiting = async (writer: ReactionWriter, end: AbortSignal): Promise<void> => {
    while (!end.aborted && failures < maxFailures) {
      const wanted = waiting.shift();
      if (wanted === undefined) break;
      await giveOne(writer, wanted, end);
    }
    if (waiting.length > 0) logger.debug({ count: waiting.length }, 'skipped remaining reactions');
    waiting = [];
    giving = null;
  };

  const ask = (wanted: Wanted): void => {
    const name = `${wanted.meaning} ${wanted.commentId}`;
    if (!asked.has(name)) waiting.push(wanted);
    asked.add(name);
  };
  const giveAsked = (): void => {
    if (reactions === null || !hasBegun || waiting.length === 0) return;
    if (shutdown.aborted || failures >= maxFailures) return;
    giving ??= giveWaiting(reactions, AbortSignal.any([shutdown, hurry.signal]));
  };

  return {
    give: async (meaning, commentIds) => {
      if (reactions === null) return;
      for (const commentId of commentIds) {
        const wanted = { meaning, commentId };
        if (answersCommand(wanted)) await outbox?.open(toReactionIntent(wanted));
        if (!shutdown.aborted && failures < maxFailures) ask(wanted);
      }
      giveAsked();
    },
    begin: async () => {
      hasBegun = true;
      for (const entry of (await outbox?.list()) ?? []) {
        if (entry.kind !== 'reaction' || entry.state !== 'open') continue;
        const intent = parseIntent(entry);
        if (intent.kind === 'reaction') ask(intent.data);
      }
      giveAsked();
    },
    settle: async () => {
      if (giving === null) return;
      await Promise.race([giving, rejectOn(timeLimit(patienceMs))]).catch(() => undefined);
      hurry.abort();
      hurry = new AbortController();
      await giving;
    },
  };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
