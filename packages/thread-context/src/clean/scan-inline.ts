import { type BracketReader, closeBracket, createBracketReader, openBracket } from './bracket-reader.ts';
import { findNext } from './find-next.ts';
import { addCut, addTag, type Content, type ContentPlace, startContent } from './findings.ts';
import { findMarkdownTagEnd, readHtmlTag } from './html-tag.ts';
import { findInvisibleEntity } from './invisible-entity.ts';
import { isEscapable } from './link-grammar.ts';
import { findHiddenAttributes } from './shown-attributes.ts';

export interface InlineOptions extends ContentPlace {
  /** Where in the content to begin. */
  readonly from: number;
  /** Whether a definition has this label; null where the text defines none. */
  readonly isDefined: ((label: string) => boolean) | null;
  /** Whether what looks like a code span is one. */
  readonly trustsCode: boolean;
}

interface State {
  readonly read: Content;
  readonly trustsCode: boolean;
  readonly brackets: BracketReader;
  /** Where the last run of backticks of each length begins; made when one is met that nothing closes. */
  lastRuns: ReadonlyMap<number, number> | null;
  /** Ends of comments that do not occur behind where they were looked for. */
  missing: Set<string> | null;
  /** See `findMarkdownTagEnd`. */
  deadPlaces: Set<number> | null;
}

const autolink = /^(?:[A-Za-z][A-Za-z0-9.+-]{1,31}:.*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+)$/;
const letter = /[A-Za-z]/;
const nextSign = /[!&<[\\\]`]/g;
const signs = {
  bang: 0x21,
  ampersand: 0x26,
  less: 0x3c,
  greater: 0x3e,
  opening: 0x5b,
  backslash: 0x5c,
  closing: 0x5d,
  backtick: 0x60,
};

/** Reads the text of a paragraph, a heading or a cell: each character once, or as often as a bound says. */
export function scanInline(
  content: string,
  { base, into, from, isDefined, trustsCode }: InlineOptions,
): Content {
  const read = startContent(content, { base, into });
  const brackets = createBracketReader(read, isDefined);
  const state: State = { read, trustsCode, brackets, lastRuns: null, missing: null, deadPlaces: null };
  let index = from;
  while (index < content.length) index = readSign(state, index);
  return read;
}

/** Reads what begins at an index and says where to go on. */
function readSign(state: State, index: number): number {
  const { content } = state.read;
  switch (content.charCodeAt(index)) {
    case signs.backslash:
      return index + (isEscapable(content.charCodeAt(index + 1)) ? 2 : 1);
    case signs.backtick:
      return readCode(state, index);
    case signs.less:
      return readMarkup(state, index);
    case signs.ampersand:
      return readEntity(state, index);
    case signs.bang:
      if (content.charCodeAt(index + 1) !== signs.opening) return index + 1;
      return openBracket(state.brackets, { from: index + 2, isImage: true });
    case signs.opening:
      return openBracket(state.brackets, { from: index + 1, isImage: false });
    case signs.closing:
      return closeBracket(state.brackets, index);
    default:
      return findNext(nextSign, { content, from: index + 1 });
  }
}

function readCode(state: State, start: number): number {
  const { content, base, code } = state.read;
  const length = runLength(content, start);
  if (!state.trustsCode) return start + length;
  // A run that begins behind an escaped backtick may have a length that no run of the content has.
  if (state.lastRuns !== null && (state.lastRuns.get(length) ?? -1) <= start) return start + length;
  for (let index = content.indexOf('`', start + length); index !== -1; index = content.indexOf('`', index)) {
    const next = runLength(content, index);
    index += next;
    if (next !== length) continue;
    code.push({ start: base + start, end: base + index });
    return index;
  }
  state.lastRuns ??= findLastRuns(content);
  return start + length;
}

function findLastRuns(content: string): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (let index = content.indexOf('`'); index !== -1; ) {
    const length = runLength(content, index);
    last.set(length, index);
    index = content.indexOf('`', index + length);
  }
  return last;
}

function runLength(content: string, start: number): number {
  let end = start;
  while (content.charCodeAt(end) === signs.backtick) end += 1;
  return end - start;
}

function readEntity({ read }: State, start: number): number {
  const found = findInvisibleEntity(read.content, start);
  if (found === null) return start + 1;
  addCut(read, { start, end: found.end }, found.kind);
  return found.end;
}

function readMarkup(state: State, start: number): number {
  const { read } = state;
  const { content } = read;
  const next = content.charCodeAt(start + 1);
  if (!(next > 0x20) || next === signs.less) return start + 1;
  const linkEnd = findAutolinkEnd(content, start);
  if (linkEnd !== null) return linkEnd;
  const comment = readComment(state, start);
  if (comment !== null) return comment;
  state.deadPlaces ??= new Set();
  const end = findMarkdownTagEnd(content, start, state.deadPlaces);
  const tag = end === null ? null : readHtmlTag(content, start);
  if (tag === null) return start + 1;
  addTag(read, tag, findHiddenAttributes(tag));
  return tag.end;
}

/** @see https://spec.commonmark.org/0.31.2/#autolinks */
function findAutolinkEnd(content: string, start: number): number | null {
  let end = start + 1;
  for (let code = content.charCodeAt(end); code > 0x20 && code !== signs.less && code !== signs.greater; ) {
    end += 1;
    code = content.charCodeAt(end);
  }
  const isClosed = content.charCodeAt(end) === signs.greater;
  return isClosed && autolink.test(content.slice(start + 1, end)) ? end + 1 : null;
}

function readComment(state: State, start: number): number | null {
  const { read } = state;
  const { content } = read;
  const marks = findCommentMarks(content, start);
  if (marks === null || state.missing?.has(marks.ending) === true) return null;
  const found = content.indexOf(marks.ending, marks.from);
  if (found === -1) {
    state.missing ??= new Set();
    state.missing.add(marks.ending);
    return null;
  }
  const end = found + marks.ending.length;
  addCut(read, { start, end }, 'html-comment');
  // Versions of Markdown differ in what a comment may hold, hence in which backticks stand outside of it.
  if (content.slice(start, end).includes('`')) read.isDoubtful = true;
  return end;
}

interface CommentMarks {
  /** From where the end is to be looked for: `<!-->` is a whole comment. */
  readonly from: number;
  readonly ending: string;
}

/** How the comment ends that begins at an index; what HTML calls otherwise but shows as little is one, too. */
function findCommentMarks(content: string, start: number): CommentMarks | null {
  const sign = content.charAt(start + 1);
  if (sign === '?') return { from: start + 2, ending: '?>' };
  if (sign !== '!') return null;
  if (content.startsWith('--', start + 2)) return { from: start + 2, ending: '-->' };
  if (content.startsWith('[CDATA[', start + 2)) return { from: start + 9, ending: ']]>' };
  return letter.test(content.charAt(start + 2)) ? { from: start + 2, ending: '>' } : null;
}
