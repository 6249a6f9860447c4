import { cleanUntrustedText } from './clean/clean-untrusted-text.ts';

/** More than platforms take in a title, a path or a branch; so little that it is cleaned in no time. */
const maxNameChars = 512;

/** A title or a name of a stranger on one line, without what no page shows. What is longer is cut. */
export function cleanName(name: string): string {
  return cleanUntrustedText(name.slice(0, maxNameChars)).text.replace(/\s+/g, ' ').trim();
}
