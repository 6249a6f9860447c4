import type { Definition, Image, Link, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** A link of a document, as it was written. */
export interface FoundLink {
  readonly url: string;
  readonly kind: 'link' | 'image' | 'definition';
}

/** Decides on a link: an address in its place, or null for its text alone. */
export type LinkTarget = (link: FoundLink) => string | null;

const parser = unified().use(remarkParse).use(remarkGfm);

/** Gives every link of a Markdown text another target, and leaves each other character as it was. */
export function rewriteLinks(markdown: string, target: LinkTarget): string {
  const nodes: Linking[] = [];
  collect(parser.parse(markdown), nodes);
  // From the end, so that the places of those before stay as they are.
  return nodes
    .flatMap((node) => listEdits(markdown, node, target))
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, put }) => text.slice(0, start) + put + text.slice(end), markdown);
}

type Linking = Link | Image | Definition;

/** A part of the text that something else takes the place of. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

function collect(node: Root | RootContent, found: Linking[]): void {
  if (node.type === 'link' || node.type === 'image' || node.type === 'definition') found.push(node);
  if ('children' in node) for (const child of node.children) collect(child, found);
}

function listEdits(markdown: string, node: Linking, target: LinkTarget): readonly Edit[] {
  const wanted = target({ url: node.url, kind: node.type });
  if (wanted === node.url) return [];
  const [start, end] = spanOf(node);
  const words = wordsOf(markdown, node);
  if (wanted === null)
    return [
      { start, end: words.start, put: '' },
      { start: words.end, end, put: '' },
    ];
  const place = markdown.indexOf(node.url, words.end);
  if (place === -1 || place >= end)
    throw new Error(
      `the address of ${markdown.slice(start, end)} is written in a way that cannot be replaced`,
    );
  return [{ start: place, end: place + node.url.length, put: wanted }];
}

/** The part of a link that stays without the link: its words; of a picture and a definition nothing. */
function wordsOf(markdown: string, node: Linking): { readonly start: number; readonly end: number } {
  const [start, end] = spanOf(node);
  const [first, last] = node.type === 'link' ? [node.children.at(0), node.children.at(-1)] : [];
  if (first !== undefined && last !== undefined) return { start: spanOf(first)[0], end: spanOf(last)[1] };
  const closing = node.type === 'definition' ? ']:' : '](';
  const place = markdown.indexOf(closing, start);
  return place === -1 || place > end ? { start: end, end } : { start: place, end: place };
}

function spanOf({ position }: RootContent): readonly [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}
