import type { Span } from './edits.ts';
import { type Findings, normaliseLabel } from './findings.ts';
import { readLinkTail, referenceLabel } from './link-grammar.ts';
import { isPlainToken } from './shown-attributes.ts';

interface Opener {
  /** Behind the bracket. */
  readonly from: number;
  readonly isImage: boolean;
  hasInner: boolean;
}

interface BracketOptions {
  readonly findings: Findings;
  readonly isDefined: (label: string) => boolean;
}

/** Pairs the brackets of links and images, and takes out what neither shows. */
export class BracketReader {
  /** A backtick stands where only a reader that knows all definitions can tell what it belongs to. */
  isDoubtful = false;
  readonly #content: string;
  readonly #options: BracketOptions;
  readonly #openers: Opener[] = [];

  constructor(content: string, options: BracketOptions) {
    this.#content = content;
    this.#options = options;
  }

  /** Reads the sign at an index and says where to go on. */
  read(sign: string, start: number): number {
    if (sign === ']') return this.#close(start);
    const isImage = sign === '!';
    if (isImage && this.#content[start + 1] !== '[') return start + 1;
    const from = start + (isImage ? 2 : 1);
    this.#openers.push({ from, isImage, hasInner: false });
    return from;
  }

  #close(end: number): number {
    const opener = this.#openers.pop();
    if (opener === undefined) return end + 1;
    const parent = this.#openers.at(-1);
    if (parent !== undefined) parent.hasInner = true;
    const text = { start: opener.from, end };
    const label = opener.hasInner || end - opener.from > 999 ? '' : this.#slice(text);
    if (label !== '') this.#options.findings.references.push(normaliseLabel(label));
    const next = this.#content[end + 1];
    if (next === '(') {
      const after = this.#closeLink(text, opener.isImage);
      if (after !== null) return after;
    }
    const isReference = next === '[' ? this.#namesReference(end + 1) : false;
    if (opener.isImage && (isReference || this.#isDefined(label))) this.#cutImageText(text);
    return end + 1;
  }

  #closeLink(text: Span, isImage: boolean): number | null {
    const tail = readLinkTail(this.#content, text.end + 1);
    if (tail === null) return null;
    const { cuts } = this.#options.findings;
    if (this.#slice({ start: text.end, end: tail.end }).includes('`')) this.isDoubtful = true;
    if (tail.title !== null) cuts.push({ ...tail.title, kind: 'link-title' });
    if (isImage) this.#cutImageText(text);
    const cut = cutSpacedAddress(this.#content, tail.destination);
    if (cut !== null) cuts.push(cut);
    return tail.end;
  }

  /** Whether the label at an index is one that a definition has. */
  #namesReference(start: number): boolean {
    referenceLabel.lastIndex = start;
    const label = referenceLabel.exec(this.#content)?.[1] ?? '';
    if (label.includes('`')) this.isDoubtful = true;
    return this.#isDefined(label);
  }

  #isDefined(label: string): boolean {
    return label.trim() !== '' && this.#options.isDefined(normaliseLabel(label));
  }

  #cutImageText(text: Span): void {
    if (!isPlainToken(this.#slice(text))) this.#options.findings.cuts.push({ ...text, kind: 'image-text' });
  }

  #slice({ start, end }: Span): string {
    return this.#content.slice(start, end);
  }
}

/** What `<…>` holds where an address should be: with a space in it, it is no address. */
export function cutSpacedAddress(content: string, { start, end }: Span) {
  const isSpaced = content[start] === '<' && /\s/.test(content.slice(start, end));
  return isSpaced ? ({ start: start + 1, end: end - 1, kind: 'hidden-attribute' } as const) : null;
}
