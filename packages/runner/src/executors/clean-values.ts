import { fitStart, stripEscapes } from '@agent/text';
import { z } from 'zod';
import type { JsonValue } from '../model.ts';

/** Characters of an agent's words about one call that are shown. */
export const maxTitleChars = 200;

/** Number that an agent tells; one that cannot be is none. */
export const countSchema = z.int().nonnegative().max(1_000_000_000).catch(0);

/** Makes words of an agent fit for a line of a log or a comment: bounded, and without what a terminal would obey. */
export function toShortLine(text: string, { maxChars = 200 }: { readonly maxChars?: number } = {}): string {
  // Far more than is kept is enough to clean.
  const clean = stripEscapes(text.slice(0, 4 * maxChars)).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return fitStart(clean.trim(), maxChars);
}

/** Makes an output of an agent's tool fit for the journal: a terminal shows it and does nothing. */
export function toShownText(text: string): string {
  return stripEscapes(text).replaceAll('\0', '');
}

const maxDepth = 24;
const cut = '…';

/** Copies a value that an agent sent, as deep and as long as a journal can bear; says where something was left out. */
export function boundValue(value: unknown, { maxChars }: { readonly maxChars: number }): JsonValue {
  let room = maxChars;
  const copyText = (text: string): string => {
    const kept = fitStart(toShownText(text.slice(0, room + 1)), Math.max(1, room));
    room -= kept.length + 2;
    return kept;
  };
  const copy = (part: unknown, depth: number): JsonValue => {
    if (room <= 0 || depth > maxDepth) return cut;
    if (typeof part === 'string') return copyText(part);
    room -= 6;
    if (typeof part === 'number') return Number.isFinite(part) ? part : String(part);
    if (typeof part === 'boolean') return part;
    if (typeof part !== 'object' || part === null) return null;
    if (Array.isArray(part)) return copyWhile(part, (item) => copy(item, depth + 1));
    const entries = copyWhile(Object.entries(part), ([key, item]) => [copyText(key), copy(item, depth + 1)]);
    return Object.fromEntries(entries as [string, JsonValue][]);
  };
  function copyWhile<Item, Copy>(items: readonly Item[], copyItem: (item: Item) => Copy): Copy[] {
    const copied: Copy[] = [];
    for (const item of items) {
      if (room <= 0) break;
      copied.push(copyItem(item));
    }
    return copied;
  }
  return copy(value, 0);
}
