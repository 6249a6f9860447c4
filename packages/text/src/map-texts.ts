/**
 * Changes each text in a value that JSON can carry, however deep; keys and numbers stay, and so does the value that was given.
 *
 * @example
 * mapTexts({ id: 7, labels: ['bug'] }, (text) => text.toUpperCase()); // { id: 7, labels: ['BUG'] }
 */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}
