import { fitStable } from './fit-stable.ts';
import { type FittedTurns, fitTurns, sizeOf } from './fit-turns.ts';
import type { ThreadMessage } from './ports.ts';
import type { ThreadLimits } from './thread-limits.ts';
import type { ThreadTurn } from './thread-turn.ts';
import { type ToTurn, toTurns } from './to-turns.ts';

/** What was read of a thread. */
export interface ThreadHistory {
  /** Newest first. */
  readonly messages: readonly ThreadMessage[];
  /** Null when there is none, and while it was not asked for. */
  readonly starter: ThreadMessage | null;
  /** Whether the messages go back to where the thread begins. */
  readonly isWhole: boolean;
}

export interface FitThreadOptions extends ThreadLimits {
  readonly toTurn: ToTurn;
  readonly isStable: boolean;
  readonly pinStarter: boolean;
}

/** The turns of a thread that fit the limits. The message that it was made from is its oldest, or stands first whatever its age. */
export function fitThread(history: ThreadHistory, options: FitThreadOptions): FittedTurns {
  const { messages, starter, isWhole } = history;
  const others = messages.filter(({ id }) => id !== starter?.id);
  const pinned = options.pinStarter ? fitPinned({ ...history, messages: others }, options) : null;
  if (pinned !== null) return pinned;
  const isInThread = others.length < messages.length;
  const all = starter === null || isInThread ? messages : [...messages, starter];
  return fit(toTurns(all, options.toTurn), { ...options, isWhole });
}

/** Null when there is nothing to pin, or no room for it beside the newest turn. */
function fitPinned(
  { messages, starter, isWhole }: ThreadHistory,
  options: FitThreadOptions,
): FittedTurns | null {
  const pinned = starter === null ? null : options.toTurn(starter);
  const [newest] = toTurns(messages, options.toTurn);
  if (pinned === null || newest === undefined) return null;
  const limits = { maxTurns: options.maxTurns - 1, maxChars: options.maxChars - sizeOf(pinned, false) };
  if (limits.maxTurns === 0 || sizeOf(newest, true) > limits.maxChars) return null;
  const { turns, wantsOlder } = fit(toTurns(messages, options.toTurn), { ...options, ...limits, isWhole });
  return { turns: [pinned, ...turns], wantsOlder };
}

function fit(
  turns: Iterable<ThreadTurn>,
  options: ThreadLimits & { readonly isStable: boolean; readonly isWhole: boolean },
): FittedTurns {
  return options.isStable ? fitStable(turns, options) : fitTurns(turns, options);
}
