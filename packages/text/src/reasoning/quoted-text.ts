/** Part of a text, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Times that the rest of one line is read again at most: a line with more reasoning in it is no line of people. */
const maxRestarts = 100;

/**
 * Finds out which places of a text are quoted: in a closed fence, in inline code, or between double quotes on one line, as the strings
 * of JSON are. Places are asked for in ascending order; the whole text is read at most once.
 */
export class QuotedText {
  readonly #text: string;
  /** End of the current line, or of the fence that begins there. */
  #end = 0;
  #isFence = false;
  #spans: readonly Span[] = [];
  #nextSpan = 0;
  #restarts = 0;
  /** By its character: the length of the shortest fence that nothing closes. */
  readonly #unclosed = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
    this.#openLine(0);
  }

  /** Reads on at a place, as if the text began there. */
  restart(at: number): void {
    const isSameLine = at < this.#end && !this.#isFence;
    this.#restarts = isSameLine ? this.#restarts + 1 : 0;
    if (this.#restarts <= maxRestarts) this.#openLine(at);
  }

  isQuoted(at: number): boolean {
    while (at >= this.#end && this.#end < this.#text.length) this.#openLine(this.#end);
    if (this.#isFence) return true;
    while ((this.#spans[this.#nextSpan]?.end ?? Number.POSITIVE_INFINITY) <= at) this.#nextSpan += 1;
    const span = this.#spans[this.#nextSpan];
    return span !== undefined && span.start < at;
  }

  #openLine(at: number): void {
    this.#end = this.#findLineEnd(at);
    const line = this.#text.slice(at, this.#end);
    const fenceEnd = this.#findFenceEnd(line);
    this.#isFence = fenceEnd !== null;
    this.#end = fenceEnd ?? this.#end;
    this.#spans = this.#isFence ? [] : findQuotes(line, at);
    this.#nextSpan = 0;
  }

  #findLineEnd(at: number): number {
    return this.#text.indexOf('\n', at) + 1 || this.#text.length;
  }

  #findFenceEnd(line: string): number | null {
    const [, mark = ''] = fenceStart.exec(line) ?? [];
    const sign = mark.charAt(0);
    if (mark === '' || mark.length >= (this.#unclosed.get(sign) ?? Number.POSITIVE_INFINITY)) return null;
    for (let at = this.#end; at < this.#text.length; ) {
      const end = this.#findLineEnd(at);
      const [, closing = ''] = fenceEnd.exec(this.#text.slice(at, end)) ?? [];
      if (closing.startsWith(mark)) return end;
      at = end;
    }
    this.#unclosed.set(sign, mark.length);
    return null;
  }
}

const fenceStart = /^[ \t>]{0,12}(?:[-*+] |\d{1,3}[.)] )?[ \t]{0,12}(`{3,}|~{3,})/;
const fenceEnd = /^[ \t>]{0,24}(`{3,}|~{3,})[ \t]{0,9}\r?\n?$/;

/** Inline code and double quotes of one line, each of which both ends. */
function findQuotes(line: string, offset: number): readonly Span[] {
  const spans: Span[] = [];
  const marks = [...line.matchAll(/\\.|`+|"/g)].filter(([mark]) => !mark.startsWith('\\'));
  /** For each mark the next equal one. */
  const nextOf = new Map<string, number>();
  const partners = new Array<number | undefined>(marks.length);
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index]?.[0] ?? '';
    partners[index] = nextOf.get(mark);
    nextOf.set(mark, index);
  }
  for (let index = 0; index < marks.length; index += 1) {
    const partner = partners[index];
    const [opening, closing] = [marks[index], marks[partner ?? -1]];
    if (opening === undefined || closing === undefined || partner === undefined) continue;
    spans.push({ start: offset + opening.index, end: offset + closing.index + closing[0].length });
    index = partner;
  }
  return spans;
}
