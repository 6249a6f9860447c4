/** Where a line is being read: Markdown counts columns, and a tab reaches to the next multiple of four. */
export class LineCursor {
  readonly #text: string;
  readonly end: number;
  offset: number;
  #column = 0;
  /** Columns of a tab that was taken in part. */
  #rest = 0;

  constructor(text: string, line: { readonly start: number; readonly end: number }) {
    this.#text = text;
    this.offset = line.start;
    this.end = line.end;
  }

  /** The white space from here on: its columns, where it ends, and whether the line ends there. */
  measure(): { readonly columns: number; readonly offset: number; readonly blank: boolean } {
    let column = this.#column + this.#rest;
    let offset = this.#rest > 0 ? this.offset + 1 : this.offset;
    for (; offset < this.end; offset += 1) {
      const code = this.#text.charCodeAt(offset);
      if (code === 0x20) column += 1;
      else if (code === 0x09) column += 4 - (column % 4);
      else break;
    }
    return { columns: column - this.#column, offset, blank: offset >= this.end };
  }

  /** Takes up to so many columns of white space. */
  skipColumns(columns: number): void {
    let left = columns;
    while (left > 0 && this.offset < this.end) {
      const code = this.#text.charCodeAt(this.offset);
      if (code !== 0x20 && code !== 0x09) return;
      const width = this.#rest > 0 ? this.#rest : code === 0x20 ? 1 : 4 - (this.#column % 4);
      const taken = Math.min(width, left);
      left -= taken;
      this.#column += taken;
      this.#rest = width - taken;
      if (this.#rest === 0) this.offset += 1;
    }
  }

  /** Takes characters that are one column wide each, as all markers are. */
  skipChars(count: number): void {
    this.offset += count;
    this.#column += count;
    this.#rest = 0;
  }

  /** Takes all white space and the marker behind it. */
  skipMarker(width: number): void {
    this.skipColumns(this.measure().columns);
    this.skipChars(width);
  }

  rest(): string {
    return this.#text.slice(this.offset, this.end);
  }

  /** What follows the white space from here on. */
  restAfterSpace(): string {
    return this.#text.slice(this.measure().offset, this.end);
  }
}
