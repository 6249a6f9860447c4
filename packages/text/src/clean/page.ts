import type { Span } from './edits.ts';

/**
 * A text that is read. Its UTF-16 units stand there as numbers, as strings come in a dozen representations, and code
 * that has met more than four of them reads each character many times slower.
 */
export interface Page {
  readonly text: string;
  readonly units: Uint16Array;
  /** More stood behind its end: what is open there hides what follows, as it may have been closed. */
  readonly isCut: boolean;
}

/** A part of a page. */
export interface Stretch extends Span {
  readonly units: Uint16Array;
}

export function toPage(text: string, { isCut = false }: Partial<Pick<Page, 'isCut'>> = {}): Page {
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return { text, isCut, units: new Uint16Array(buffer, byteOffset, text.length) };
}

/** The text of units that were changed. */
export function toText({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}

/** The character at an index of a well-formed text, and -1 outside of it. */
export function codePointAt(units: Uint16Array, index: number): number {
  const unit = units[index] ?? -1;
  if (unit < 0xd800 || unit > 0xdbff) return unit;
  return 0x10000 + ((unit - 0xd800) << 10) + ((units[index + 1] ?? 0) - 0xdc00);
}

/** The character that ends at an index of a well-formed text, and -1 before the first. */
export function codePointBefore(units: Uint16Array, index: number): number {
  const unit = units[index - 1] ?? -1;
  return unit >= 0xdc00 && unit <= 0xdfff ? codePointAt(units, index - 2) : unit;
}
