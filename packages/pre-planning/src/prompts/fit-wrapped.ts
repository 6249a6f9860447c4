import { fitStart } from './fit-start.ts';
import type { TextSource, WrapText } from './prompt-options.ts';

export interface WrappedFit {
  /** Characters of the text and of what encloses it, together. */
  readonly maxChars: number;
  readonly wrap: WrapText;
}

/** The beginning of a text, enclosed; null where not even what encloses it fits. In time proportional to the room. */
export function fitWrapped(text: string, source: TextSource, { maxChars, wrap }: WrappedFit): string | null {
  let room = Math.min(text.length, maxChars);
  while (room >= 0) {
    const wrapped = wrap(fitStart(text, room), source);
    const excess = wrapped.length - maxChars;
    if (excess <= 0) return wrapped;
    room -= excess;
  }
  return null;
}
