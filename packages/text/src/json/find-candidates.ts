import { parseJson } from './lenient.ts';
import { isEndedEarly, repairJson } from './repair-json.ts';

/** `direct`: the text is the JSON. `extracted`: it stands in the text. `repaired`: it had to be repaired. */
export type ReadingWay = 'direct' | 'extracted' | 'repaired';

/** Possible answer. */
interface Candidate {
  readonly value: unknown;
  readonly way: ReadingWay;
}

/** Objects that are tried, the last first: a model that corrects itself says the right one last. */
const maxTried = 8;
/** Times that each sign of a text is parsed at most: once, and again within braces of prose. */
const maxParsed = 3;

interface Search {
  readonly place: string;
  readonly whole: string;
  /** Number of signs that may still be parsed. */
  left: number;
  /** Spans that begin as objects do and are no JSON. */
  readonly broken: BraceSpan[];
  /** Spans between braces of prose or code. */
  readonly prose: BraceSpan[];
}

/**
 * The objects of a text that may be the answer to `whole`, the likeliest first: whole ones, also between two braces that
 * belong to prose, then what is worth repairing (what nothing closes, and the longest of what is closed and no JSON), then
 * the parts of what could not be repaired to an answer.
 */
export function* findCandidates(place: string, whole: string): Generator<Candidate> {
  const { closed, openAt } = findJsonObjects(place);
  const search: Search = { place, whole, left: maxParsed * place.length, broken: [], prose: [] };
  const outer = openAt === null ? null : place.slice(openAt);
  const isOuterFirst = outer !== null && isOuterMeant(outer, closed.at(-1), place);
  if (isOuterFirst) yield { value: repairJson(outer), way: 'repaired' };
  const corrected = outer === null ? findCorrection(closed, place) : null;
  if (corrected !== null) yield { value: repairJson(corrected), way: 'repaired' };
  yield* readWhole(closed.slice(-maxTried).toReversed(), search);
  if (outer !== null && !isOuterFirst) yield { value: repairJson(outer), way: 'repaired' };
  const longest = findLongest(search.broken) ?? findLongest(search.prose);
  if (longest !== null) {
    const written = place.slice(longest.start, findClosingEnd(place, longest.end));
    yield { value: repairJson(written), way: 'repaired' };
  }
  const parts = search.broken.flatMap(({ inner }) => inner);
  yield* readWhole(parts, search);
}

/** End of the brackets right behind an object: they belong to it if it is broken. */
function findClosingEnd(text: string, from: number): number {
  let end = from;
  while (/[}\]\s"]/.test(text.charAt(end))) end += 1;
  return end;
}

const firstKey = /^\{\s{0,99}(?:"([^"\\\n]{1,80})"|'([^'\\\n]{1,80})'|([\w$-]{1,64}))\s{0,9}[:：]/;

/**
 * Tells whether an object that nothing closes is the answer, and what is closed within it are its parts. It is a broken-off draft if the
 * last closed object follows it and begins with the same key.
 */
function isOuterMeant(outer: string, last: BraceSpan | undefined, place: string): boolean {
  const key = readFirstKey(outer);
  if (key === null) return false;
  const isBehind = last !== undefined && last.end <= place.length - outer.length;
  return last === undefined || isBehind || readFirstKey(place.slice(last.start, last.end)) !== key;
}

/** The last object of a text, if it has mistakes and begins with the same key as the one before it: it corrects that one. */
function findCorrection(closed: readonly BraceSpan[], place: string): string | null {
  const [before, last] = closed.slice(-2);
  if (before === undefined || last === undefined) return null;
  const written = place.slice(last.start, findClosingEnd(place, last.end));
  const key = readFirstKey(written);
  if (key === null || key !== readFirstKey(place.slice(before.start, before.end))) return null;
  return parseJson(place.slice(last.start, last.end)) === undefined ? place.slice(last.start) : null;
}

function readFirstKey(text: string): string | null {
  const found = firstKey.exec(text);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

function* readWhole(spans: readonly BraceSpan[], search: Search): Generator<Candidate> {
  for (const span of spans) {
    const text = search.place.slice(span.start, span.end);
    if (text.length > search.left) continue;
    search.left -= text.length;
    const value = parseJson(text);
    if (value !== undefined) yield { value, way: text === search.whole ? 'direct' : 'extracted' };
    else if (objectBeginning.test(text)) search.broken.push(span);
    else {
      search.prose.push(span);
      yield* readWhole(span.inner, search);
    }
  }
}

/** A quote, a comment, or a key of few words with its colon: a part of such an object is not the answer, before it is repaired. */
const objectBeginning =
  /^\{[\s,{]{0,200}(?:["'“”„‘’＂\\#]|\/[/*]|[^\s`.。、(){}[\]:：=]{1,40}(?: [^\s`.。、(){}[\]:：=]{1,20}){0,2}\s{0,20}[:：=])/;

function findLongest(spans: readonly BraceSpan[]): BraceSpan | null {
  return spans.reduce<BraceSpan | null>(
    (longest, span) =>
      longest === null || span.end - span.start > longest.end - longest.start ? span : longest,
    null,
  );
}

/** A part of a text, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch from a `{` to its `}`. */
interface BraceSpan extends Span {
  /** Objects directly within it, the last first; only the last ones where there are many. */
  readonly inner: readonly BraceSpan[];
}

interface FoundObjects {
  /** None inside another, in the order of the text; the last ones where there are many. */
  readonly closed: readonly BraceSpan[];
  /** Start of an object that nothing closes; null when there is none. */
  readonly openAt: number | null;
}

/** Deeper than any answer: what goes deeper is noise, and no parser is given it. */
const maxNesting = 64;
const maxClosed = 32;
const maxInner = 8;

/**
 * Finds what may be JSON objects in a text: braces in pairs, those in strings left aside. Prose, fences and markers
 * around them do not matter. One pass over the text.
 */
function findJsonObjects(text: string): FoundObjects {
  const closed: BraceSpan[] = [];
  /** Starts of the braces that are open; -1 for a bracket in them. */
  let open: number[] = [];
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) at += 1;
      else if (code === quote) isString = false;
    } else if (code === openBrace) open.push(at);
    else if (open.length === 0) continue;
    else if (code === quote) isString = true;
    else if (code === openBracket) open.push(-1);
    else if (code === closeBracket && open.at(-1) === -1) open.pop();
    else if (code === closeBrace) {
      while (open.at(-1) === -1) open.pop();
      if (open.length === 1 && isEndedEarly(text, at + 1)) continue;
      addSpan(closed, { start: open.pop() ?? at, end: at + 1 });
    }
    if (open.length > maxNesting) open = [];
  }
  return { closed, openAt: open[0] ?? null };
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function addSpan(closed: BraceSpan[], { start, end }: Span): void {
  const inner: BraceSpan[] = [];
  for (let last = closed.at(-1); last !== undefined && last.start > start; last = closed.at(-1)) {
    if (inner.length < maxInner) inner.push(last);
    closed.pop();
  }
  closed.push({ start, end, inner });
  if (closed.length > 2 * maxClosed) closed.splice(0, maxClosed);
}
