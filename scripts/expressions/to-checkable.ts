import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';
import { splitAlternatives } from './split-alternatives.ts';

/** A repetition of at most so many costs a factor; a longer one is taken to have no end. */
const maxCountedRepetition = 1_000;

const lineEnd = String.raw`[\n\r\u2028\u2029]`;

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Expressions that a checker by automata can read, which knows no looks ahead or behind and unrolls each counted repetition. When
 * all of them are linear, the expression is.
 * - `a{3,64}` costs as much as `a{1,2}`, but for a factor.
 * - `a(?=b)c` costs as much as `ab` and `ac` together. A look behind is checked alone.
 * - `(?<!a)b` begins where `(?:^|[^a])b` begins.
 * - Where case means nothing, all is in lower case, and lines begin and end at their ends: these flags make automata large.
 *
 * @throws {Error} for references back, whose time nobody can bound
 */
export function toCheckable(pattern: string, flags: string): readonly string[] {
  const literal = `/${pattern}/${flags}`;
  const changes: Change[] = [];
  const looks: AST.LookaroundAssertion[] = [];
  const ignoresCase = flags.includes('i');
  visitRegExpAST(parseRegExpLiteral(literal), {
    onQuantifierEnter: (node) => {
      const change = shorten(node);
      if (change !== null) changes.push(change);
    },
    onAssertionEnter: (node) => {
      const { kind, start, end } = node;
      if (kind === 'start' && flags.includes('m')) changes.push({ start, end, text: `(?:^|${lineEnd})` });
      if (kind === 'end' && flags.includes('m')) changes.push({ start, end, text: `(?:$|${lineEnd})` });
      if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return;
      looks.push(node);
      changes.push(leaveOut(node));
    },
    onCharacterEnter: ({ raw, start, end }) => {
      const text = raw.toLowerCase();
      if (ignoresCase && raw.length === 1 && text !== raw) changes.push({ start, end, text });
    },
    onBackreferenceEnter: () => {
      throw new Error(`${literal} refers back to a group`);
    },
  });
  const from = (start: number, end: number) => rewrite(literal, { start, end, changes });
  const ofLook = (look: AST.LookaroundAssertion) =>
    look.alternatives.map(({ start, end }) => prefixOf(look, from) + from(start, end));
  const rows = [from(1, pattern.length + 1), ...looks.flatMap(ofLook)];
  return rows.flatMap((row) => splitAlternatives(row, flags));
}

type Cut = (start: number, end: number) => string;

/** What is matched before a look ahead is tried. */
function prefixOf({ kind, parent, start }: AST.LookaroundAssertion, from: Cut): string {
  return kind === 'lookahead' ? prefixIn(parent, { start, from }) : '';
}

function prefixIn(
  parent: AST.Alternative | AST.Quantifier,
  { start, from }: { readonly start: number; readonly from: Cut },
): string {
  if (parent.type === 'Quantifier')
    return prefixIn(parent.parent, { start: parent.start, from }) + from(parent.start, parent.end);
  const before = from(parent.start, start);
  const group = parent.parent;
  if (group.type !== 'Group' && group.type !== 'CapturingGroup') return before;
  return prefixIn(group.parent, { start: group.start, from }) + before;
}

function leaveOut(look: AST.LookaroundAssertion): Change {
  const { start, end, kind, alternatives } = look;
  const [only] = alternatives.length === 1 ? (alternatives[0]?.elements ?? []) : [];
  const isOne = alternatives[0]?.elements.length === 1 && kind === 'lookbehind' && look.negate;
  const set = isOne && only !== undefined ? invert(only) : null;
  return { start, end, text: set === null ? '(?:)' : `(?:^|${set})` };
}

/** All other characters than those of a set; null for what is no set. */
function invert(node: AST.Element): string | null {
  if (node.type === 'Character') return `[^${node.raw}]`;
  if (node.type === 'CharacterSet') return node.kind === 'any' ? null : `[^${node.raw}]`;
  if (node.type !== 'CharacterClass') return null;
  return node.negate ? `[${node.raw.slice(2)}` : `[^${node.raw.slice(1)}`;
}

function shorten({ min, max, greedy, element, end }: AST.Quantifier): Change | null {
  const isEndless = max > maxCountedRepetition;
  if (min <= 1 && (max <= 2 || max === Number.POSITIVE_INFINITY)) return null;
  const bounds = isEndless ? `${Math.min(min, 1)},` : `${Math.min(min, 1)},${Math.min(max, 2)}`;
  return { start: element.end, end, text: `{${bounds}}${greedy ? '' : '?'}` };
}

interface Rewriting {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly Change[];
}

/** A stretch with the changes that lie in it; of nested ones the outermost. */
function rewrite(text: string, { start, end, changes }: Rewriting): string {
  let result = '';
  let reached = start;
  for (const change of [...changes].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (change.start < reached || change.end > end) continue;
    result += text.slice(reached, change.start) + change.text;
    reached = change.end;
  }
  return result + text.slice(reached, end);
}
