export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lines such as `: OPENROUTER PROCESSING`, which gateways send to keep a connection open. */
const commentLines = /^[ \t]*:.*$/gm;

/** Parses the JSON of an answer, also with a byte order mark or comment lines around it; undefined for any other body. */
export function readJsonBody(text: string): unknown {
  const body = text.replace(/^\uFEFF/, '');
  return parseJson(body) ?? parseJson(body.replaceAll(commentLines, ''));
}
