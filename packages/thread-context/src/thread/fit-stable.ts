import { type FittedTurns, fitTurns, sizeOf, type ThreadLimits } from './fit-turns.ts';
import type { ThreadTurn } from './transcript-formatter.ts';

/**
 * A turn is a landmark when no other within this share of the budget, older or newer, has a higher rank: landmarks
 * are then 40 % of the budget apart on average, so that a cut leaves about 60 %.
 */
export const horizon = 0.2;

/** A turn and how far back it is. */
interface Step {
  readonly turn: ThreadTurn;
  readonly rank: number;
  /** Size of the transcript from here to its end. */
  readonly size: number;
  /** Turns from here to the end. */
  readonly count: number;
}

export interface StableOptions extends ThreadLimits {
  /** Tells whether the turns begin where the thread begins. */
  readonly isWhole: boolean;
}

/**
 * The newest turns that fit, beginning at a landmark, so that the transcript keeps its beginning while the thread grows until
 * that landmark no longer fits. What a landmark is depends only on the ids and lengths of the turns around it: nothing
 * is remembered, and another process finds the same one.
 */
export function fitStable(newestFirst: Iterable<ThreadTurn>, options: StableOptions): FittedTurns {
  const { steps, isExhausted } = takeSteps(newestFirst, options);
  const knowsBeginning = isExhausted && options.isWhole;
  const fits = (step: Step) => shareOf(step, options) <= 1;
  const start =
    knowsBeginning && steps.every(fits)
      ? steps.length - 1
      : steps.findLastIndex(
          (step, index) => fits(step) && isLandmark(steps, { index, options, knowsBeginning }),
        );
  // Without a landmark, which is rare, it begins where the budget ends.
  const kept = start === -1 ? steps : steps.slice(0, start + 1);
  return {
    turns: fitTurns(
      kept.map(({ turn }) => turn),
      options,
    ).turns,
    wantsOlder: isExhausted,
  };
}

/** As far back as a landmark that fits can see. */
function takeSteps(
  newestFirst: Iterable<ThreadTurn>,
  options: ThreadLimits,
): { steps: Step[]; isExhausted: boolean } {
  const steps: Step[] = [];
  const { sizeOf: measure = sizeOf } = options;
  let size = 0;
  for (const turn of newestFirst) {
    size += measure(turn, steps.length === 0);
    const step = { turn, rank: rankOf(turn.id), size, count: steps.length + 1 };
    steps.push(step);
    if (shareOf(step, options) > 1 + horizon) return { steps, isExhausted: false };
  }
  return { steps, isExhausted: true };
}

/** The share of the budget, 0 to 1 and more. */
function shareOf({ size, count }: Pick<Step, 'size' | 'count'>, { maxSize, maxTurns }: ThreadLimits): number {
  return Math.max(size / maxSize, count / maxTurns);
}

interface Look {
  readonly index: number;
  readonly options: ThreadLimits;
  readonly knowsBeginning: boolean;
}

/** False also while the turns that could outrank it are not all known. */
function isLandmark(steps: readonly Step[], { index, options, knowsBeginning }: Look): boolean {
  const step = steps[index] as Step;
  if (shareOf(step, options) <= horizon) return false;
  const isNear = (other: Step) =>
    shareOf({ size: Math.abs(other.size - step.size), count: Math.abs(other.count - step.count) }, options) <=
    horizon;
  let older = index + 1;
  for (; older < steps.length && isNear(steps[older] as Step); older += 1) {
    if (outranks(steps[older] as Step, step)) return false;
  }
  if (older === steps.length && !knowsBeginning) return false;
  for (let newer = index - 1; newer >= 0 && isNear(steps[newer] as Step); newer -= 1) {
    if (outranks(steps[newer] as Step, step)) return false;
  }
  return true;
}

function outranks(one: Step, other: Step): boolean {
  return one.rank > other.rank || (one.rank === other.rank && one.turn.id > other.turn.id);
}

/** A number that looks drawn by chance and is always the same for an id (FNV-1a, its bits mixed once more). */
function rankOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
