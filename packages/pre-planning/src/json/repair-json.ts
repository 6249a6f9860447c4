import { jsonrepair } from 'jsonrepair';

/** The library looks again and again at some inputs: a long hostile one would hold everything else up. */
const maxChars = 8_192;

/** JSON with commas too many, single quotes, comments and the like, parsed; undefined where that does not help. */
export function parseRepaired(text: string): unknown {
  if (text.length > maxChars) return undefined;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    // The library says that nothing can be made of it, or that it is too deep for it.
    return undefined;
  }
}
