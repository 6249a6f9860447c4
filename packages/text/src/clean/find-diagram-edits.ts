import type { Edit, Span } from './edits.ts';
import type { Fence } from './find-blocks.ts';
import { findFormulaCuts } from './find-formula-edits.ts';
import type { Page } from './page.ts';

/** Languages that are drawn as something else than its text: a map, a solid. */
const unread = new Set(['geojson', 'topojson', 'stl']);

/** Languages whose fences a page draws. */
const drawnLanguages = new Set(['mermaid', 'math', ...unread]);

/** Finds what a drawing does not show of the text that it is made from. */
export function findDiagramEdits(fences: readonly Fence[], page: Page): readonly Edit[] {
  return fences
    .filter(({ language }) => drawnLanguages.has(language))
    .flatMap((fence) => findIn(fence, page))
    .filter(({ start, end }) => start < end);
}

function findIn(fence: Fence, page: Page): readonly Edit[] {
  if (unread.has(fence.language)) return fence.lines.map((line) => ({ ...line, kind: 'unseen-diagram' }));
  if (fence.language === 'mermaid') return readMermaid(fence, page);
  const [first, last] = [fence.lines[0], fence.lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  return findFormulaCuts(page, { start: first.start, end: last.end, hasComments: true, isDrawn: true });
}

/** Lines that begin a hidden part of a diagram, and those that end it. */
const hiddenRuns: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^---$/, /^---$/],
  [/^%%\{/, /\}%%/],
  [/^accDescr\s*\{/, /\}/],
];
const hiddenStatement =
  /^(?:%%|acc(?:Title|Descr)\b|click\b|callback\b|classDef\b|cssClass\b|style\b|linkStyle\b|links?\b|properties\b|(?:ex|in)cludes\b|todayMarker\b|::icon\b|class [\w,]+ \w+$)/;
const comment = /\s%%/;
/** Additions of a node to its label. */
const attributes = /@\{([^}]{0,2000})/g;
const label = /\blabel\s{0,9}:\s{0,9}"[^"]*"/;
const classOfNode = /:::[\p{L}\p{N}_-]+/gu;
const word = /[\p{L}_][\p{L}\p{N}_-]*/gu;
/** Shorter names say nothing. */
const minNameLength = 5;

/** Styles that leave nothing of a label to see. */
const hidingStyle =
  /\b(?:opacity\s{0,9}:\s{0,9}0(?!\.?\d{0,9}[1-9])|display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}[0-3](?![.\d])|color\s{0,9}:\s{0,9}transparent)/i;

/** Comments, directives, styles and tooltips go; names behind labels become short. A diagram with a style that hides goes whole. */
function readMermaid({ lines }: Fence, { text }: Page): readonly Edit[] {
  if (lines.some(({ start, end }) => hidingStyle.test(text.slice(start, end))))
    return lines.map((line) => ({ ...line, kind: 'unseen-diagram' }));
  const edits: Edit[] = [];
  const shown: { readonly start: number; readonly line: string }[] = [];
  let end: RegExp | null = null;
  let isFirst = true;
  for (const span of lines) {
    const line = text.slice(span.start, span.end);
    const words = line.trim();
    const begins: RegExp | null = end === null ? findRunEnd(words, { isFirst }) : null;
    if (end !== null || begins !== null) edits.push({ ...span, kind: 'unseen-diagram' });
    else {
      for (const statement of splitLine({ start: span.start, line })) {
        const { start } = statement;
        if (hiddenStatement.test(statement.line.trim()))
          edits.push({ start, end: start + statement.line.length, kind: 'unseen-diagram' });
        else shown.push(statement);
      }
    }
    isFirst &&= words === '';
    end = end === null ? begins : end.test(words) ? null : end;
  }
  return [...edits, ...shown.flatMap(findClasses), ...shown.flatMap(findAsides), ...renameNodes(shown)];
}

/** Tells how the hidden lines end that one begins; null where it begins none, or ends them itself. */
function findRunEnd(line: string, { isFirst }: { readonly isFirst: boolean }): RegExp | null {
  const run = hiddenRuns.find(([begin], index) => (index > 0 || isFirst) && begin.test(line));
  if (run === undefined) return null;
  const [begin, end] = run;
  return end.test(line.replace(begin, '')) ? null : end;
}

interface PlacedLine {
  readonly start: number;
  readonly line: string;
}

/** A line may hold several statements. */
function splitLine({ start, line }: PlacedLine): readonly PlacedLine[] {
  let next = start;
  return line.split(';').map((statement) => {
    const placed = { start: next, line: statement };
    next += statement.length + 1;
    return placed;
  });
}

/** Comments behind a statement, and what a node has besides its label. */
function findAsides({ start, line }: PlacedLine): Edit[] {
  const found = comment.exec(line);
  const cuts = found === null ? [] : [{ start: start + found.index, end: start + line.length }];
  for (const { 1: inside = '', index } of line.matchAll(attributes)) {
    const from = start + index + 2;
    const { 0: shown = '', index: at = 0 } = label.exec(inside) ?? {};
    cuts.push(
      { start: from, end: from + at },
      { start: from + at + shown.length, end: from + inside.length },
    );
  }
  return cuts.map((cut) => ({ ...cut, kind: 'unseen-diagram' }));
}

function findClasses({ start, line }: PlacedLine): Edit[] {
  return [...line.matchAll(classOfNode)].map(({ 0: found, index }) => ({
    start: start + index,
    end: start + index + found.length,
    kind: 'unseen-diagram',
  }));
}

/** A name whose label is shown in its place is nothing but a name. */
function renameNodes(lines: readonly PlacedLine[]): readonly Edit[] {
  const words = lines.flatMap(({ start, line }) =>
    [...line.matchAll(word)].map(({ 0: found, index }) => {
      // The beginning of an arrow.
      const name = found.endsWith('-') ? found.slice(0, found.search(/(?<!-)-+$/)) : found;
      return {
        name,
        at: start + index,
        isLabeled: isLabeled(line, { start: index, end: index + name.length }),
      };
    }),
  );
  const names = new Map<string, string>();
  for (const { name, isLabeled } of words)
    if (isLabeled && name.length >= minNameLength && !names.has(name)) names.set(name, `n${names.size + 1}`);
  return words.flatMap(({ name, at }): readonly Edit[] => {
    const replacement = names.get(name);
    return replacement === undefined
      ? []
      : [{ start: at, end: at + name.length, kind: 'unseen-diagram', replacement }];
  });
}

function isLabeled(line: string, { start, end }: Span): boolean {
  const [before, behind] = [line.slice(Math.max(0, start - 12), start), line.slice(end, end + 4)];
  if (/^@?[[({]/.test(behind)) return true;
  if (/\bsubgraph $/.test(before)) return behind.startsWith(' [');
  return behind === ' as '
    ? /\b(?:participant|actor) $/.test(before)
    : /^\s*state ".*" as $/.test(line.slice(0, start));
}
