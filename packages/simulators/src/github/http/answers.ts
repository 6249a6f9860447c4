import type { Answer } from './route.ts';

/** 200 with a body. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** 201 with a body and where to find it again. */
export function created(body: { readonly url?: string } | unknown): Answer {
  const url = hasUrl(body) ? body.url : null;
  return { status: 201, body, ...(url ? { headers: { location: url } } : {}) };
}

/** 204. */
export function noContent(): Answer {
  return { status: 204 };
}

/** 200 with text in a media type of its own. */
export function rawText(content: string | Buffer, mediaType: string): Answer {
  return { status: 200, raw: { contentType: `${mediaType}; charset=utf-8`, content: Buffer.from(content) } };
}

function hasUrl(body: unknown): body is { readonly url: string } {
  return typeof body === 'object' && body !== null && 'url' in body && typeof body.url === 'string';
}
