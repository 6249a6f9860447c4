import { type BracketReader, closeBracket, createBracketReader, openBracket } from './bracket-reader.ts';
import type { Span } from './edits.ts';
import {
  addCut,
  addTag,
  type Content,
  type ContentPlace,
  cutRest,
  readEntity,
  startContent,
} from './findings.ts';
import { findMarkdownTagEnd, readHtmlTag, type TagMemory } from './html-tag.ts';
import { isEscapable } from './link-grammar.ts';
import { findNext, findSequence, findUnit, holds, letters, skipRun, toUnitSet } from './page.ts';

export interface InlineOptions extends ContentPlace {
  /** Tells whether a definition has this label; null where the text defines none. */
  readonly isDefined: ((label: string) => boolean) | null;
  /** Tells whether what looks like a code span is one. */
  readonly trustsCode: boolean;
}

interface State extends TagMemory {
  readonly read: Content;
  readonly trustsCode: boolean;
  readonly brackets: BracketReader;
  /** The place where the last run of backticks of each length begins; made when one is met that nothing closes. */
  lastRuns: ReadonlyMap<number, number> | null;
  /** Ends of comments that do not occur behind where they were looked for. */
  missing: Set<string> | null;
}

const autolink = /^(?:[A-Za-z][A-Za-z0-9.+-]{1,31}:.*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+)$/;
const nextSigns = toUnitSet('!&<[\\]`');
const addressEnds = toUnitSet(`<>${String.fromCharCode(...Array(0x21).keys())}`);
const addressMarks = toUnitSet(':@');
const signs = {
  bang: 0x21,
  ampersand: 0x26,
  less: 0x3c,
  greater: 0x3e,
  question: 0x3f,
  opening: 0x5b,
  backslash: 0x5c,
  closing: 0x5d,
  backtick: 0x60,
};

/** Reads the text of a paragraph, a heading or a cell: each character once, or as often as a bound says. */
export function scanInline(span: Span, { page, into, isDefined, trustsCode }: InlineOptions): Content {
  const read = startContent(span, { page, into });
  const brackets = createBracketReader(read, isDefined);
  const state: State = { read, trustsCode, brackets, lastRuns: null, missing: null, deadPlaces: null };
  const { units, end } = read;
  for (let index = findNext(nextSigns, { units, start: read.start, end }); index < end; ) {
    index = findNext(nextSigns, { units, start: readSign(state, index), end });
  }
  const image = read.isTorn ? brackets.openers.find(({ isImage }) => isImage) : undefined;
  if (image !== undefined) cutRest(read, image.from, 'image-text');
  return read;
}

/** Reads what begins at an index and says where to go on. */
function readSign(state: State, index: number): number {
  const { units } = state.read;
  switch (units[index]) {
    case signs.backslash:
      return index + (isEscapable(units[index + 1]) ? 2 : 1);
    case signs.backtick:
      return readCode(state, index);
    case signs.less:
      return readMarkup(state, index);
    case signs.ampersand:
      return readEntity(state.read, index);
    case signs.bang:
      if (units[index + 1] !== signs.opening) return index + 1;
      return openBracket(state.brackets, { from: index + 2, isImage: true });
    case signs.opening:
      return openBracket(state.brackets, { from: index + 1, isImage: false });
    default:
      return closeBracket(state.brackets, index);
  }
}

function readCode(state: State, start: number): number {
  const { units, end, code } = state.read;
  const opened = skipRun(signs.backtick, { units, start, end });
  const length = opened - start;
  if (!state.trustsCode) return opened;
  // A run that begins behind an escaped backtick may have a length that no run of the content has.
  if (state.lastRuns !== null && (state.lastRuns.get(length) ?? -1) <= start) return opened;
  let reached = opened;
  for (;;) {
    const run = findUnit(signs.backtick, { units, start: reached, end });
    if (run === null) break;
    reached = skipRun(signs.backtick, { units, start: run, end });
    if (reached - run !== length) continue;
    code.push({ start, end: reached });
    return reached;
  }
  state.lastRuns ??= findLastRuns(state.read);
  return opened;
}

function findLastRuns({ units, start, end }: Content): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (let run = findUnit(signs.backtick, { units, start, end }); run !== null; ) {
    const runEnd = skipRun(signs.backtick, { units, start: run, end });
    last.set(runEnd - run, run);
    run = findUnit(signs.backtick, { units, start: runEnd, end });
  }
  return last;
}

function readMarkup(state: State, start: number): number {
  const { read } = state;
  const { text, units, end } = read;
  const next = units[start + 1] ?? 0;
  if (next <= 0x20 || next === signs.less || start + 1 >= end) return start + 1;
  const linkEnd = findAutolinkEnd(read, start);
  if (linkEnd !== null) return linkEnd;
  const comment = readComment(state, start);
  if (comment !== null) return comment;
  const tagEnd = findMarkdownTagEnd({ units, start, end }, state);
  if (tagEnd === 'torn' && read.isTorn) return cutRest(read, start, 'hidden-element');
  const tag = typeof tagEnd === 'number' ? readHtmlTag({ text, units, start, end }) : null;
  if (tag === null) return start + 1;
  addTag(read, tag);
  return tag.end;
}

/** @see https://spec.commonmark.org/0.31.2/#autolinks */
function findAutolinkEnd({ text, units, end }: Content, start: number): number | null {
  const linkEnd = findNext(addressEnds, { units, start: start + 1, end });
  if (linkEnd >= end || units[linkEnd] !== signs.greater) return null;
  if (findNext(addressMarks, { units, start: start + 1, end: linkEnd }) === linkEnd) return null;
  return autolink.test(text.slice(start + 1, linkEnd)) ? linkEnd + 1 : null;
}

function readComment(state: State, start: number): number | null {
  const { read } = state;
  const { units, end } = read;
  const marks = findCommentMarks(read, start);
  if (marks === null || state.missing?.has(marks.ending) === true) return null;
  const commentEnd = findSequence(marks.ending, { units, start: marks.from, end });
  if (commentEnd === null) {
    if (read.isTorn) return cutRest(read, start, 'html-comment');
    state.missing ??= new Set();
    state.missing.add(marks.ending);
    return null;
  }
  addCut(read, { start, end: commentEnd }, 'html-comment');
  // Versions of Markdown differ in what a comment may hold, hence in which backticks stand outside of it.
  if (findUnit(signs.backtick, { units, start, end: commentEnd }) !== null) read.isDoubtful = true;
  return commentEnd;
}

interface CommentMarks {
  /** The place from which the end is looked for: `<!-->` is a whole comment. */
  readonly from: number;
  readonly ending: string;
}

/** Tells how the comment ends that begins at an index; what HTML calls otherwise but shows as little is one, too. */
function findCommentMarks({ text, units }: Content, start: number): CommentMarks | null {
  const sign = units[start + 1];
  if (sign === signs.question) return { from: start + 2, ending: '?>' };
  if (sign !== signs.bang) return null;
  if (text.startsWith('--', start + 2)) return { from: start + 2, ending: '-->' };
  if (text.startsWith('[CDATA[', start + 2)) return { from: start + 9, ending: ']]>' };
  return holds(letters, units[start + 2]) ? { from: start + 2, ending: '>' } : null;
}
