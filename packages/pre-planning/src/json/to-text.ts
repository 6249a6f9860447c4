import { isPlaceholder } from './is-placeholder.ts';

const maxChars = 2_000;
const maxDepth = 5;

/** Keys that say no more than that their value is the thing. */
const namingKeys: ReadonlySet<string> = new Set([
  'id',
  'name',
  'title',
  'item',
  'text',
  'description',
  'value',
  'label',
  'content',
  'summary',
  'question',
]);

/** Text, whatever a model wrote in its place: lists and objects become one; empty where there is none. */
export function toText(value: unknown): string {
  const text = join(value, 0).trim();
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`.toWellFormed();
}

function join(value: unknown, depth: number): string {
  if (typeof value === 'string') return isPlaceholder(value) ? '' : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return '';
  if (Array.isArray(value)) return joinAll(value.map((item) => join(item, depth + 1)));
  return joinAll(
    Object.entries(value).map(([key, inner]) => {
      const text = join(inner, depth + 1);
      return text === '' || namingKeys.has(key) ? text : `${key}: ${text}`;
    }),
  );
}

function joinAll(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}
