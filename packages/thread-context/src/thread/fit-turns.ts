import { type CodeSpan, findChatCode } from '@agent/text';
import { measureTurn, type ThreadTurn } from './transcript-formatter.ts';

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
export function fitTurns(
  newestFirst: Iterable<ThreadTurn>,
  { maxTurns, maxChars }: ThreadLimits,
): FittedTurns {
  const kept: ThreadTurn[] = [];
  let chars = 0;
  let isFull = false;
  for (const turn of newestFirst) {
    chars += sizeOf(turn, kept.length === 0);
    if (chars <= maxChars) kept.push(turn);
    else if (kept.length === 0) kept.push(cutTurn(turn, maxChars));
    isFull = chars > maxChars || kept.length === maxTurns;
    if (isFull) break;
  }
  return { turns: kept.reverse(), wantsOlder: !isFull };
}

/** Text that a turn adds to a transcript, with the line break between it and the next. */
export function sizeOf(turn: ThreadTurn, isNewest: boolean): number {
  return measureTurn(turn) + (isNewest ? 0 : 1);
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

/** Limits on a transcript; both limits are inclusive. */
export interface ThreadLimits {
  readonly maxTurns: number;
  /** UTF-16 units of the whole transcript. */
  readonly maxChars: number;
}

/** @see seed 003 §4.2 (`MAX_THREAD_MESSAGES`) */
const defaultMaxMessages = 200;
/** @see seed 003 §4.2 (`MAX_TRANSCRIPT_CHARS`) */
const defaultMaxTranscriptChars = 20_000;

/** A role and the mark of a cut have to fit, or the newest turn could not survive. */
const leastTranscriptChars = 'assistant: ...'.length;

export interface ThreadLimitOptions {
  readonly maxMessages?: number | undefined;
  readonly maxTranscriptChars?: number | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The limits to keep. One that makes no sense is ignored, with a warning (decision X1). */
export function toThreadLimits(options: ThreadLimitOptions): ThreadLimits {
  const { maxMessages, maxTranscriptChars, onWarning = () => {} } = options;
  const choose = (name: string, rule: { value: number | undefined; least: number; fallback: number }) => {
    const { value = rule.fallback, least, fallback } = rule;
    if (Number.isSafeInteger(value) && value >= least) return value;
    onWarning(`${name} must be a whole number from ${least}; got ${value}, using ${fallback}`);
    return fallback;
  };
  return {
    maxTurns: choose('maxMessages', { value: maxMessages, least: 1, fallback: defaultMaxMessages }),
    maxChars: choose('maxTranscriptChars', {
      value: maxTranscriptChars,
      least: leastTranscriptChars,
      fallback: defaultMaxTranscriptChars,
    }),
  };
}
