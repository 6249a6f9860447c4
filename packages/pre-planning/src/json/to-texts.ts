import { toText } from './to-text.ts';

const maxItems = 50;
const nothing =
  /^(?:none|nothing|n\/?a|null|nil|[-–—ー]|なし|無し|特に(?:なし|無し)|(?:特に)?ありません)[.。]?$/i;

/** Whether a text says that there is nothing to say. */
export function isNothing(text: string): boolean {
  return text === '' || nothing.test(text);
}

/** The items of a list; models write one item where a list is asked for, and null where it is empty. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The first items of a list as texts, without those that say nothing. */
export function toTexts(value: unknown): readonly string[] {
  return toList(value)
    .slice(0, maxItems)
    .map(toText)
    .filter((text) => !isNothing(text));
}
