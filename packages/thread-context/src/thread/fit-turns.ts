import { type CodeSpan, estimateTokens, findChatCode, type TokenCounter } from '@agent/text';
import { type Expectation, expected, expectNumber } from '@agent/text/options';
import { findLongest } from '../find-longest.ts';
import { formatTurn, measureTurn, type ThreadTurn, toChatTurn } from './transcript-formatter.ts';

export interface FittedTurns {
  /** Oldest first. */
  readonly turns: readonly ThreadTurn[];
  /** Tells whether older turns, if there are any, could change this. */
  readonly wantsOlder: boolean;
}

/**
 * The newest turns that fit, without a gap. The newest of all survives: it is cut where it does not fit by itself.
 * One pass from the newest on, which ends where the budget does.
 *
 * @see seed 003 §5.2 (`trimToBudget`), decisions D1, D4, D5
 */
export function fitTurns(newestFirst: Iterable<ThreadTurn>, limits: ThreadLimits): FittedTurns {
  const { maxTurns, maxSize, sizeOf: measure = sizeOf } = limits;
  const kept: ThreadTurn[] = [];
  let size = 0;
  let isFull = false;
  for (const turn of newestFirst) {
    size += measure(turn, kept.length === 0);
    if (size <= maxSize) kept.push(turn);
    else if (kept.length === 0) kept.push(cutToLimits(turn, limits));
    isFull = size > maxSize || kept.length === maxTurns;
    if (isFull) break;
  }
  return { turns: kept.reverse(), wantsOlder: !isFull };
}

/** UTF-16 units that a turn adds to a transcript, with the line break between it and the next. */
export function sizeOf(turn: ThreadTurn, isNewest: boolean): number {
  return measureTurn(turn) + (isNewest ? 0 : 1);
}

/** A turn too large for the limits by itself, cut to its end. */
function cutToLimits(turn: ThreadTurn, { maxSize, sizeOf: measure }: ThreadLimits): ThreadTurn {
  if (measure === undefined) return cutTurn(turn, maxSize);
  const cut = (more: number) => cutTurn(turn, leastTranscriptChars + more);
  const most = Math.max(0, measureTurn(turn) - leastTranscriptChars);
  return cut(findLongest(most, (more) => measure(cut(more), true) <= maxSize) ?? 0);
}

/** Stands before what is left of a text. */
const cutMark = '...';

/**
 * A turn too long for the transcript, cut to its end: `alice: ...the last words`. It is never cut inside a character
 * as people see it, and where the cut falls into a block of code, the block is opened again. A name that would take
 * most of the room is left out.
 *
 * @see decision D5
 */
export function cutTurn(turn: ThreadTurn, maxChars: number): ThreadTurn {
  const named = { ...turn, text: cutMark };
  const nameless = turn.name === null ? named : { ...named, name: '' };
  const frame = measureTurn(named) <= maxChars / 2 ? named : nameless;
  return { ...frame, text: cutMark + cutToEnd(turn.text, maxChars - measureTurn(frame)) };
}

/** The longest end of a text that may stand by itself in so many units of a transcript. */
function cutToEnd(text: string, room: number): string {
  const blocks = findChatCode(text).filter(({ ticks }) => ticks >= 3);
  const at = findCut(text, room);
  const block = blocks.find(({ start, end }) => start < at && at < end);
  if (block === undefined) return text.slice(at).trimStart();
  return reopen(text, { block, room }) ?? text.slice(block.end).trimStart();
}

/** The end of a text from within a block on, behind the line that opens it; null when there is no room for that. */
function reopen(text: string, { block, room }: { block: CodeSpan; room: number }): string | null {
  const { opening, codeStart, codeEnd } = readBlock(text, block);
  const head = `\n${opening}\n`;
  const at = Math.max(findCut(text, room - head.length - '    '.length), codeStart);
  const nextLine = text.charAt(at - 1) === '\n' ? at : text.indexOf('\n', at) + 1;
  const from = nextLine > 0 && nextLine < codeEnd ? nextLine : at;
  return from < codeEnd ? head + text.slice(from) : null;
}

function readBlock(text: string, { start, end, ticks }: CodeSpan) {
  const [opening = '`'.repeat(ticks)] = /^`+[^\s`]*(?=\n)/.exec(text.slice(start, end)) ?? [];
  const code = text.slice(start + opening.length, end);
  return {
    opening,
    codeStart: start + opening.length + (code.startsWith('\n') ? 1 : 0),
    codeEnd: start + opening.length + findClosing(code),
  };
}

/** Finds where the line of backticks begins that ends a block, with its line break. */
function findClosing(code: string): number {
  let end = code.length;
  while (code.charAt(end - 1) === '`') end -= 1;
  return code.charAt(end - 1) === '\n' ? end - 1 : end;
}

/** Finds where the longest end begins that fits, between two characters. */
function findCut(text: string, room: number): number {
  let at = text.length;
  for (let left = room; at > 0; at -= 1) {
    // A line break costs the indentation of its line too.
    left -= text.charAt(at - 1) === '\n' && !'\n'.includes(text.charAt(at)) ? 3 : 1;
    if (left < 0) break;
  }
  if (at === text.length) return at;
  const { index = at, segment = '' } = new Intl.Segmenter().segment(text).containing(at) ?? {};
  return index === at ? at : index + segment.length;
}

/** Limits of a transcript; both are inclusive. */
export interface ThreadLimits {
  readonly maxTurns: number;
  /** Size of the whole transcript, in the unit of `sizeOf`. */
  readonly maxSize: number;
  /** Size that a turn adds to a transcript, with the line break between it and the next. Default: UTF-16 units. */
  readonly sizeOf?: SizeOf | undefined;
}

type SizeOf = (turn: ThreadTurn, isNewest: boolean) => number;

/** @see seed 003 §4.2 (`MAX_THREAD_MESSAGES`) */
const defaultMaxMessages = 200;
/** @see seed 003 §4.2 (`MAX_TRANSCRIPT_CHARS`) */
const defaultMaxTranscriptChars = 20_000;

/** A role and the mark of a cut have to fit, or the newest turn could not survive. */
const leastTranscriptChars = 'assistant: ...'.length;
/** The same in tokens of any model. */
const leastTranscriptTokens = 20;

export interface ThreadLimitOptions {
  readonly maxMessages?: number | undefined;
  readonly maxTranscriptChars?: number | undefined;
  readonly maxTranscriptTokens?: number | undefined;
  readonly countTokens?: TokenCounter | undefined;
}

/** Conditions of the limits. */
export const limitExpectations = {
  maxMessages: expectNumber(1, { isWhole: true }),
  maxTranscriptChars: expectNumber(leastTranscriptChars, { isWhole: true }),
  maxTranscriptTokens: expectNumber(leastTranscriptTokens, { isWhole: true }),
  countTokens: expected.function,
} as const satisfies Record<keyof ThreadLimitOptions, Expectation>;

/** Limits of options that were checked. Of two sizes, each turn counts by the one of which it takes the larger share. */
export function toThreadLimits(options: ThreadLimitOptions): ThreadLimits {
  const { maxMessages: maxTurns = defaultMaxMessages, maxTranscriptTokens: maxTokens } = options;
  const { maxTranscriptChars: maxChars = maxTokens === undefined ? defaultMaxTranscriptChars : undefined } =
    options;
  if (maxTokens === undefined) return { maxTurns, maxSize: maxChars ?? defaultMaxTranscriptChars };
  const tokensOf = createTokenMeter(options.countTokens ?? estimateTokens);
  if (maxChars === undefined) return { maxTurns, maxSize: maxTokens, sizeOf: tokensOf };
  const shareOf: SizeOf = (turn, isNewest) =>
    Math.max(tokensOf(turn, isNewest) / maxTokens, sizeOf(turn, isNewest) / maxChars);
  return { maxTurns, maxSize: 1, sizeOf: shareOf };
}

/** Counts each turn once: counting is slow. */
function createTokenMeter(countTokens: TokenCounter): SizeOf {
  const known = new WeakMap<ThreadTurn, number>();
  return (turn, isNewest) => {
    const tokens = known.get(turn) ?? countTokens(formatTurn(toChatTurn(turn)));
    known.set(turn, tokens);
    return tokens + (isNewest ? 0 : 1);
  };
}
