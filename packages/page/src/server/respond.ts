import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Markup } from '../html/markup.ts';
import { problemRoom } from '../rooms/door-rooms.ts';
import type { Visit } from '../rooms/visit.ts';

/** Rules for browsers: nothing from elsewhere, nothing inline, in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

/** Sets what every answer carries. An answer that says nothing else of it is kept by nobody. */
export function setHeaders(response: Response): void {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  response.headers.append('Vary', 'Cookie, Accept-Language');
}

/** Answers with a page. */
export function respond(context: Context, page: Markup, status: ContentfulStatusCode = 200): Response {
  return context.html(page.toString(), status);
}

/** Kind of a page that says what went wrong. */
export type ProblemKind = keyof typeof statusOf;

const statusOf = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  proxyRefused: 403,
  notFound: 404,
  method: 405,
  conflict: 409,
  tooLarge: 413,
  mediaType: 415,
  misdirected: 421,
  failed: 500,
  auditFailed: 503,
} as const;

/** Answers with a page that says what went wrong and what to do; `reason` is in words for people. */
export function respondProblem(
  context: Context,
  kind: ProblemKind,
  { visit, reason = null }: { readonly visit: Visit; readonly reason?: string | null },
): Response {
  return respond(context, problemRoom(visit, { kind, reason }), statusOf[kind]);
}
