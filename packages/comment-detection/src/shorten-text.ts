import { cutAtGrapheme, truncationMark } from '@agent/text';

/** The text, or its beginning with a mark; never cut inside a character as people see it. */
export function shortenText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return cutAtGrapheme(text, maxChars).trimEnd() + truncationMark;
}
