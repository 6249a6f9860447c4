/** The word that stands where a secret was. */
export const placeholder = '[REDACTED]';

/** A place in a text that holds a secret. */
export interface FoundSecret {
  /** The issuer's name for it, such as `GitHub token`; never a part of the value. */
  readonly kind: string;
  /** Offset of the first character, in UTF-16 code units. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

/**
 * Puts the placeholder in the place of what was found; places that overlap become one.
 *
 * @example
 * replaceSecrets('key=abc', [{ kind: 'key', start: 4, end: 7 }]); // 'key=[REDACTED]'
 */
export function replaceSecrets(text: string, found: readonly FoundSecret[]): string {
  if (found.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { start, end: to } of found.toSorted((one, other) => one.start - other.start)) {
    if (start >= end) parts.push(text.slice(end, start), placeholder);
    end = Math.max(end, to);
  }
  return [...parts, text.slice(end)].join('');
}
