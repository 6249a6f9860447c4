import { isRecord, parseJson } from '@agent/text/json';

/** Lines such as `: OPENROUTER PROCESSING`, which gateways send to keep a connection open. */
const commentLines = /^[ \t]*:.*$/gm;

/** Frames in which gateways send an answer. */
const envelopes = ['result', 'data', 'response'] as const;

/** The answer in a body: without a list or an envelope around it. */
export function unwrapAnswer(body: unknown): unknown {
  if (Array.isArray(body) && body.length === 1) return unwrapAnswer(body[0]);
  if (!isRecord(body) || body.choices !== undefined) return body;
  const name = envelopes.find((one) => isRecord(body[one]) && body[one].choices !== undefined);
  if (name !== undefined) return body[name];
  // Ollama's own form.
  return isRecord(body.message) && body.message.role !== undefined
    ? { ...body, choices: [{ index: 0, message: body.message, finish_reason: body.done_reason ?? null }] }
    : body;
}

/** Parses the JSON of an answer, also with a byte order mark or comment lines around it; undefined for any other body. */
export function readJsonBody(text: string): unknown {
  const body = text.replace(/^\uFEFF/, '');
  return parseJson(body) ?? parseJson(body.replaceAll(commentLines, ''));
}
