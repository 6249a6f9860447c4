import type { Refusal } from '../state/refusal.ts';

/** What goes over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/** A reply in JSON; `body` undefined is one without a body. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  if (body === undefined) return { status, headers, content: Buffer.alloc(0) };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    content: Buffer.from(JSON.stringify(body)),
  };
}

/** How GitHub words a refusal: message, details, the page that explains it, and the status as text. */
export function refusalReply(refusal: Refusal, docs: string): Reply {
  const body = {
    message: refusal.message,
    ...(refusal.errors ? { errors: refusal.errors } : {}),
    documentation_url: `https://docs.github.com/${docs}`,
    status: String(refusal.status),
  };
  return jsonReply(refusal.status, body, refusal.headers);
}
