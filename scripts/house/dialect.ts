import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { lineAt, parseSource } from '../shape/parse-source.ts';
import type { Problem, SourceTree } from '../shape/source-tree.ts';

/** A piece of text and where it begins: `docs/start.md:12`. */
interface Passage {
  readonly place: string;
  readonly text: string;
}

/** Words that are wrong everywhere in this project, and the words to write. CONTRIBUTING.md shows the same list to people. */
const dialect: readonly (readonly [wrong: RegExp, write: string])[] = [
  [/\b(?:is|are|was|were|been|be) told\b/, 'receives, is sent, is shown'],
  [/\btells (?:the|a) (?:model|agent|people|thread|user)\b/, 'reports to, shows'],
  [/\b(?:hears?|heard|doorbells?)\b/, 'receives, picks up; notification'],
  [/\bobey(?:s|ed)?\b/, 'applied; ignored'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix, fixed'],
  [/\b(?:goes|gone|going) on\b/, 'continues, resumes'],
  [/\btaken up\b/, 'resumed'],
  [/\banew\b/, 'again, from scratch'],
  [/\b(?:whoever|somebody|nobody|anybody)\b/, 'the role, no one, anyone; or the passive'],
  [/\bmay (?:not )?steer\b/, 'is trusted, can give commands'],
  [/\b(?:those|one) that\b/, 'repeat the noun'],
  [/\b(?:is|are) none\b/, 'there is no X; is not an X'],
  [/\bin (?:the )?place of\b/, 'instead of'],
  [/\bcarr(?:y|ies|ied|ying) out\b/, 'run, execute, apply'],
  [/\brests? on\b/, 'depends on, is based on'],
  [/\bat the latest\b/, 'within N; at least every N'],
  [/\bforeign text\b|\bstrangers?\b/, 'untrusted text, untrusted users'],
  [/\b(?:lookers?|ripe|hurried|deaf)\b/, 'poller; deliverable; prioritized'],
  [/\b(?:dies|died|the dead)\b/, 'crashes, crashed process'],
];

const anyWord = new RegExp(dialect.map(([wrong]) => wrong.source).join('|'), 'giu');
const withoutRole = /\b(?:who|whoever|whom|what|nobody|nothing|none|somebody)\b/iu;

/** The words of the list in these passages, one problem each. */
export function findDialect(passages: readonly Passage[]): readonly Problem[] {
  return passages.flatMap(({ place, text }) =>
    [...text.matchAll(anyWord)].map(([word]) => ({ path: place, message: `"${word}": ${adviseOn(word)}` })),
  );
}

function adviseOn(word: string): string {
  const found = dialect.find(([wrong]) => new RegExp(wrong.source, 'iu').test(word));
  return `write ${found?.[1]}`;
}

/** How many of 1,000 sentences use a pronoun (who, what, nobody, none) where a role or a noun could stand. */
export function countSentencesWithoutRole(passages: readonly Passage[]): number {
  const sentences = passages.flatMap(({ text }) =>
    text.split(/(?<=[.!?])\s+/u).filter((sentence) => sentence.trim().split(/\s+/u).length > 2),
  );
  const counted = sentences.filter((sentence) => withoutRole.test(sentence)).length;
  return Math.round((1_000 * counted) / Math.max(1, sentences.length));
}

/** The part of a node of Markdown that is read here. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly position?: { readonly start: { readonly line: number } } | undefined;
}

/** Paragraphs, headings, list items and table rows of Markdown, without code. */
export function listProse(documents: SourceTree): readonly Passage[] {
  return [...documents].flatMap(([path, text]) =>
    listBlocks(unified().use(remarkParse).parse(text) as Node).map((block) => ({
      place: `${path}:${block.position?.start.line ?? 0}`,
      text: toPlain(block).replaceAll(/\s*\|\s*/gu, '. '),
    })),
  );
}

function listBlocks(node: Node): readonly Node[] {
  if (node.type === 'paragraph' || node.type === 'heading') return [node];
  return (node.children ?? []).flatMap(listBlocks);
}

function toPlain({ type, value, children = [] }: Node): string {
  if (type === 'inlineCode') return 'x';
  if (type === 'html') return '';
  return value ?? children.map(toPlain).join('');
}

/** Comments of sources. */
export function listComments(sources: SourceTree): readonly Passage[] {
  return [...sources].flatMap(([path, text]) =>
    parseSource(path, text).comments.map(({ value, start }) => ({
      place: `${path}:${lineAt(text, start)}`,
      text: value.replaceAll(/^\s*\*+ ?/gmu, '').replaceAll(/`[^`]*`/gu, 'x'),
    })),
  );
}

/** Strings and templates of sources that hold more than one word: texts, errors, log messages, prompts. */
export function listStrings(sources: SourceTree): readonly Passage[] {
  return [...sources].flatMap(([path, text]) => {
    const found: Passage[] = [];
    visit(parseSource(path, text).program, (value, start) => {
      if (/\p{L}\s+\p{L}/u.test(value)) found.push({ place: `${path}:${lineAt(text, start)}`, text: value });
    });
    return found;
  });
}

function visit(node: unknown, take: (value: string, start: number) => void): void {
  if (Array.isArray(node)) for (const child of node) visit(child, take);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { type, value, start } = node as { type?: string; value?: unknown; start?: number };
  if (type === 'Literal' && typeof value === 'string') take(value, start ?? 0);
  if (type === 'TemplateElement') take((value as { cooked: string | null }).cooked ?? '', start ?? 0);
  for (const child of Object.values(node)) if (typeof child === 'object') visit(child, take);
}
