import { createHash } from 'node:crypto';

/** What a log may say of a text: how long it is, and whether it is the same as another. @see decision D16 */
export function describeText(text: string): { readonly chars: number; readonly sha256: string } {
  return { chars: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 12) };
}
