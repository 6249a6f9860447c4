import { type Node, Parser } from 'commonmark';

/** What a page made of a Markdown text shows, by the words `w1z`, `w2z`, … in it. */
export interface ReadWords {
  readonly shown: ReadonlySet<string>;
  /** Those that are neither shown nor part of an address or of HTML that a page may show. */
  readonly hidden: ReadonlySet<string>;
  /** What is shown as code, in order. */
  readonly code: readonly string[];
}

/** Reads a text as the reference implementation of CommonMark does. */
export function readWords(text: string): ReadWords {
  const shown: string[] = [];
  const doubtful: string[] = [];
  const code: string[] = [];
  let images = 0;
  let isTorn = false;
  const walker = new Parser().parse(text).walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node, entering } = event;
    if (node.type === 'image') images += entering ? 1 : -1;
    if (node.destination !== null && entering) doubtful.push(node.destination);
    if (!entering) continue;
    if (images > 0) doubtful.push(isSingleWord(node) ? (node.literal ?? '') : '');
    else if (isTorn) doubtful.push(node.literal ?? '', node.info ?? '');
    else if (node.type === 'text') shown.push(node.literal ?? '');
    else if (node.type === 'code' || node.type === 'code_block') {
      code.push(node.literal ?? '');
      shown.push(node.literal ?? '');
      doubtful.push((node.info ?? '').split(/\s/)[0] ?? '');
    } else if (node.type === 'html_block' || node.type === 'html_inline') {
      doubtful.push(withoutComments(node.literal ?? ''));
      // A browser reads on for the end of a comment, whatever stands between.
      isTorn = tornComment.test((node.literal ?? '').replace(comment, ''));
    }
  }
  const shownWords = new Set(findWords(shown));
  const doubtfulWords = new Set(findWords(doubtful));
  const hidden = findWords([text]).filter((word) => !shownWords.has(word) && !doubtfulWords.has(word));
  return { shown: shownWords, hidden: new Set(hidden), code };
}

const comment = /<!--(?:>|->|[\s\S]*?-->)|<\?[\s\S]*?>|<![A-Za-z[][\s\S]*?>/g;
const tornComment = /<(?:!|\?)/;

/** The only child of an image: a word alone may stay. */
function isSingleWord({ type, next, prev, literal }: Node): boolean {
  return type === 'text' && next === null && prev === null && /^\w*$/.test(literal ?? '');
}

function withoutComments(html: string): string {
  return html.replace(comment, '').replace(/\s(?:title|data-x)="[^"]*"/g, '');
}

function findWords(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.match(/w\d+z/g) ?? []);
}
