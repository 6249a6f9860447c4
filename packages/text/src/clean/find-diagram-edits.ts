import type { Edit, Span } from './edits.ts';
import type { Fence } from './find-blocks.ts';
import { findFormulaCuts } from './find-formula-edits.ts';
import type { Page } from './page.ts';

/** What is drawn as something else than its text: a map, a solid. */
const unread = new Set(['geojson', 'topojson', 'stl']);

/** What a drawing does not show of the text that it is made from. */
export function findDiagramEdits(fences: readonly Fence[], page: Page): readonly Edit[] {
  return fences.flatMap((fence) => findIn(fence, page)).filter(({ start, end }) => start < end);
}

function findIn(fence: Fence, page: Page): readonly Edit[] {
  if (unread.has(fence.language)) return fence.lines.map((line) => ({ ...line, kind: 'unseen-diagram' }));
  if (fence.language === 'mermaid') return readMermaid(fence, page);
  return fence.lines.flatMap((line) => findFormulaCuts(page, { ...line, hasComments: true }));
}

/** From here on lines are hidden, until one ends that. */
const hiddenRuns: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^---$/, /^---$/],
  [/^%%\{/, /\}%%/],
  [/^accDescr\s*\{/, /\}/],
];
const hiddenLine =
  /^(?:%%|acc(?:Title|Descr)\b|click\b|classDef\b|cssClass\b|style\b|linkStyle\b|links?\b|class [\w,]+ \w+$)/;
const classOfNode = /:::[\p{L}\p{N}_-]+/gu;
const word = /[\p{L}_][\p{L}\p{N}_-]*/gu;
/** Shorter names say nothing. */
const minNameLength = 5;

/** Comments, directives, styles and tooltips go; names behind labels become short. */
function readMermaid({ lines }: Fence, { text }: Page): readonly Edit[] {
  const edits: Edit[] = [];
  const shown: { readonly start: number; readonly line: string }[] = [];
  let end: RegExp | null = null;
  for (const span of lines) {
    const line = text.slice(span.start, span.end);
    const words = line.trim();
    const begins: RegExp | null = end === null ? findRunEnd(words, { isFirst: shown.length === 0 }) : null;
    if (end !== null || begins !== null || hiddenLine.test(words))
      edits.push({ ...span, kind: 'unseen-diagram' });
    else shown.push({ start: span.start, line });
    end = end === null ? begins : end.test(words) ? null : end;
  }
  return [...edits, ...shown.flatMap(findClasses), ...renameNodes(shown)];
}

/** How the hidden lines end that one begins; null where it begins none, or ends them itself. */
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
  if (/^@?[[({]/.test(line.slice(end, end + 2))) return true;
  return (
    /\b(?:participant|actor) $/.test(line.slice(Math.max(0, start - 12), start)) &&
    line.startsWith(' as ', end)
  );
}
