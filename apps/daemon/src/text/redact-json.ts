/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The same value with every text in it redacted. Done text by text, so that the JSON stays whole. */
export function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(item, redact));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactJson(item, redact)]));
}
