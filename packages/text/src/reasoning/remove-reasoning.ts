import { checkOptions, type Expectation, expected } from '../check-options.ts';
import { dropPrefixed, isUnmarkedStart, takeFinalChannel } from './final-channel.ts';
import { findMarks, type ReasoningMark, withoutPartialMark } from './find-marks.ts';
import { QuotedText } from './quoted-text.ts';

/** Options of `removeReasoning`. */
export interface ReasoningOptions {
  /** False for a text that still grows: its end is left out if a mark may begin there. Default true. */
  readonly isWhole?: boolean;
  /** True for a text that begins inside of reasoning, as its template has written the opening mark: up to a closing mark nothing is shown. Default false. */
  readonly startsInside?: boolean;
}

const expectations = {
  isWhole: expected.flag,
  startsInside: expected.flag,
} as const satisfies Record<keyof ReasoningOptions, Expectation>;

/** Answer of a model without its reasoning. */
export interface SplitReasoning {
  /** Trimmed; empty if there is nothing but reasoning. */
  readonly answer: string;
  /** True if the text closes reasoning that it does not open. */
  readonly startsInside: boolean;
}

/**
 * Removes the reasoning that a model wrote into its answer: between marks such as `<think>` and `[THINK]`, unclosed, nested, or with its
 * closing mark alone, and all harmony channels but the final one. Marks that the text only quotes (in code or between double quotes)
 * stay. Takes time in proportion to the length of the text.
 *
 * @example
 * removeReasoning('<think>They want the sum.</think>\nIt is 3.'); // 'It is 3.'
 */
export function removeReasoning(text: string, options: ReasoningOptions = {}): string {
  return splitReasoning(text, options).answer;
}

/** Removes reasoning, and tells whether the text begins inside of it. */
export function splitReasoning(text: string, options: ReasoningOptions = {}): SplitReasoning {
  checkOptions('ReasoningOptions', options, expectations);
  const { isWhole = true, startsInside = false } = options;
  const channel = takeFinalChannel(withoutTemplate(text.replace(/^\uFEFF/, '').trim()));
  const prefixed = dropPrefixed(channel.text, isWhole);
  const removal = new ReasoningRemoval(prefixed.text, isWhole);
  const said = removal.run();
  const isWaiting = startsInside && !isWhole && !removal.hasClosed;
  const isUndecided = !isWhole && !channel.isChanneled && isUnmarkedStart(text);
  const shown = isWaiting || isUndecided ? '' : isWhole ? said : withoutPartialMark(said);
  const hasRemoved = removal.hasClosed || channel.isChanneled || prefixed.isDropped;
  return { answer: unframe(shown, hasRemoved).trim(), startsInside: removal.startsInside };
}

const frameName = '(?:final[_-])?(?:answer|response|output|solution)';
const tagFrame = new RegExp(`^<${frameName}>\\s*|\\s*</${frameName}>$`, 'gi');
const pipeFrame = new RegExp(`<[|｜](?:begin|start|end)[_▁](?:of[_▁])?(?:${frameName}|box)[|｜]>`, 'gi');

/** Takes off the marks that some models put around their answer. */
function unframe(text: string, hasRemoved: boolean): string {
  const said = text.trim();
  if (hasRemoved && new RegExp(`^<${frameName}>`, 'i').test(said)) return said.replace(tagFrame, '');
  return /^<[|｜]/.test(said) ? said.replace(pipeFrame, '') : said;
}

/** Marks of templates around a whole answer, which some servers do not take off. */
const templateStart =
  /^<[|｜](?:im_start|start_header_id)[|｜]>assistant(?:<[|｜]end_header_id[|｜]>)?\s{0,9}/;
const templateEnd =
  /(?:<[|｜](?:im_end|eot_id|eom_id|endoftext|end_of_text|end[▁_]of[▁_](?:sentence|turn|box))[|｜]>|<end_of_turn>|<\/s>)$/;

function withoutTemplate(text: string): string {
  let said = text.replace(templateStart, '');
  for (let count = 0; count < maxRepeats; count += 1) {
    const [mark] = templateEnd.exec(said.slice(-maxMarkChars)) ?? [];
    if (mark === undefined) break;
    said = said.slice(0, -mark.length).trimEnd();
  }
  return said;
}

const maxMarkChars = 40;

class ReasoningRemoval {
  readonly #text: string;
  readonly #isWhole: boolean;
  readonly #marks: readonly ReasoningMark[];
  readonly #quoted: QuotedText;
  /** Start of the last closing mark in brackets; -1 if there is none. */
  readonly #lastBracket: number;
  #said: string[] = [];
  /** Start of what is neither said nor removed yet. */
  #from = 0;
  hasClosed = false;
  startsInside = false;

  constructor(text: string, isWhole: boolean) {
    this.#text = text;
    this.#isWhole = isWhole;
    this.#marks = findMarks(text);
    this.#quoted = new QuotedText(text);
    const lastBracket = this.#marks.findLast(({ style, isClosing }) => isClosing && style === 'bracket');
    this.#lastBracket = lastBracket?.start ?? -1;
  }

  run(): string {
    for (let index = 0; index < this.#marks.length; index += 1) {
      const mark = this.#marks[index] as ReasoningMark;
      if (mark.start < this.#from || this.#quoted.isQuoted(mark.start)) continue;
      if (mark.isClosing) this.#close(mark);
      else if (this.#opens(mark, this.#marks[index + 1])) {
        const last = this.#findLast(index);
        this.#remove(mark.start, last?.end ?? this.#text.length);
        if (last === null) break;
        this.hasClosed = true;
      }
    }
    return [...this.#said, this.#text.slice(this.#from)].join('');
  }

  /** Takes out a stretch, and the white space behind it if it begins a line. */
  #remove(start: number, end: number): void {
    this.#said.push(this.#text.slice(this.#from, start));
    const isLine = this.#isLineStart(start);
    const behind = /^\s*/.exec(this.#text.slice(end, end + maxSpace))?.[0] ?? '';
    this.#from = end + (isLine || /\s$/.test(this.#said.at(-1) ?? '') ? behind.length : 0);
    this.#quoted.restart(this.#from);
  }

  /** A closing mark without its opening one: what stands before it is reasoning, unless nothing stands behind. */
  #close(mark: ReasoningMark): void {
    if (mark.style !== 'certain' && !this.#standsApart(mark)) return;
    const ink = /\S/g;
    ink.lastIndex = mark.end;
    const isEnd = !ink.test(this.#text);
    if (!(isEnd && this.hasClosed)) {
      this.#said = [];
      this.#from = mark.start;
      this.startsInside = true;
    }
    this.#remove(mark.start, mark.end);
    this.hasClosed = true;
  }

  #isLineStart(at: number): boolean {
    if (at === this.#from && (at === 0 || this.hasClosed)) return true;
    return /(?:^|\n)[ \t]*$/.test(this.#text.slice(Math.max(this.#from, at - maxSpace), at));
  }

  #opens(mark: ReasoningMark, next: ReasoningMark | undefined): boolean {
    const isClosed = next?.isClosing === true && next.style === mark.style;
    if (mark.style === 'certain') return true;
    if (mark.style === 'bracket' && !mark.isUpperCase && mark.start > this.#lastBracket) return false;
    if (this.#isLineStart(mark.start))
      return mark.style === 'tag' || mark.start < this.#lastBracket || this.#isThink(mark);
    const behind = this.#text.charAt(mark.end);
    if (!/[\n\p{L}\p{N}<]/u.test(behind || (this.#isWhole ? '\n' : ' ')))
      return !this.#isWhole && behind === '';
    const before = this.#text.slice(Math.max(0, mark.start - 3), mark.start);
    if (/[.!?:。！？：]["')」』]?\s?$/.test(before)) return true;
    if (!isClosed) return false;
    const between = this.#text.slice(mark.end, next.start);
    return (
      /[\p{L}\p{N}][^\s\p{L}\p{N}]*\s+[^\s\p{L}\p{N}]*[\p{L}\p{N}]|[\u3040-\u9fff]{4}/u.test(between) &&
      !/\s$/.test(between.replace(/\n$/, ''))
    );
  }

  #isThink({ start, end }: ReasoningMark): boolean {
    return /think|thought/i.test(this.#text.slice(start, end));
  }

  /** The mark with which reasoning ends, those right behind it included; null if it reaches the end of the text. */
  #findLast(opening: number): ReasoningMark | null {
    let depth = 1;
    let last: number | null = null;
    for (let index = opening + 1; index < this.#marks.length; index += 1) {
      const mark = this.#marks[index] as ReasoningMark;
      if (this.#isCited(mark)) continue;
      if (mark.isClosing) {
        depth -= 1;
        last = index;
        if (depth === 0) break;
      } else if (mark.style === 'certain' || !/[ \t]/.test(this.#text.charAt(mark.end))) depth += 1;
    }
    // While a text grows, more may follow of what is still open.
    if (last === null || (depth > 0 && !this.#isWhole)) return null;
    return this.#skipClosing(last);
  }

  #skipClosing(index: number): ReasoningMark {
    let last = this.#marks[index] as ReasoningMark;
    for (const mark of this.#marks.slice(index + 1, index + 1 + maxRepeats)) {
      if (!mark.isClosing || this.#text.slice(last.end, mark.start).trim() !== '') break;
      last = mark;
    }
    return last;
  }

  /** Tells whether a mark stands between backticks or quotes of its own. */
  #isCited({ start, end }: ReasoningMark): boolean {
    return /[`"']/.test(this.#text.charAt(start - 1)) && /[`"']/.test(this.#text.charAt(end));
  }

  /** Tells whether a mark ends a line or begins one, or is part of no sentence. */
  #standsApart({ start, end }: ReasoningMark): boolean {
    const [before, after] = [this.#text.charAt(start - 1) || '\n', this.#text.charAt(end) || '\n'];
    if (before === '\n' || after === '\n') return !/[`"']/.test(before + after);
    return !/[\s`"'(「『]/.test(before) && !/[\s`"'.,;:!?)」』]/.test(after);
  }
}

const maxSpace = 100;
const maxRepeats = 64;
