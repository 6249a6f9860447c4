import { describe, expect, it } from 'vitest';
import { CommentDetectionError, isOutage } from './comment-detection-error.ts';

const failing = (fields: object, message = 'no') => Object.assign(new Error(message), fields);

describe('isOutage', () => {
  it('takes the network, time-outs, limits and failing servers for outages [NX-50]', async () => {
    const refused = await fetch('http://127.0.0.1:9').catch((error: unknown) => error);
    const outages = [
      refused,
      new TypeError('fetch failed', { cause: failing({ code: 'ECONNRESET' }) }),
      new Error('wrapped', { cause: failing({ code: 'UND_ERR_SOCKET' }) }),
      AbortSignal.abort(new DOMException('late', 'TimeoutError')).reason,
      failing({ status: 502 }),
      failing({ statusCode: 429 }),
      failing({ response: { status: 503 } }),
      failing({ status: 403, response: { headers: { 'x-ratelimit-remaining': '0' } } }),
      failing({ status: 403, response: { headers: new Headers({ 'X-RateLimit-Remaining': '0' }) } }),
      failing({ status: 403, headers: new Headers({ 'Retry-After': '60' }) }),
      failing({ code: 'forbidden', retryAfterMs: 0 }),
      failing({ code: 'unavailable' }),
      new TypeError('terminated'),
    ];
    for (const error of outages) expect(isOutage(error), String(error)).toBe(true);
  });

  it('takes refusals and defects for what they are: the same the next time [NX-50]', () => {
    const cyclic = failing({});
    cyclic.cause = cyclic;
    const others = [
      failing({ status: 401 }),
      failing({ status: 403 }),
      failing({ response: { status: 404 } }),
      failing({ code: 'unauthorized', retryAfterMs: null }),
      failing({ status: 403, response: { headers: new Headers({ 'X-RateLimit-Remaining': '7' }) } }),
      new TypeError('fetch failed', { cause: failing({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }) }),
      new Error('wrapped', {
        cause: new TypeError('fetch failed', { cause: failing({ code: 'CERT_HAS_EXPIRED' }) }),
      }),
      new TypeError('Promise.withResolvers is not a function'),
      new Error('anything'),
      cyclic,
      'text',
      null,
    ];
    for (const error of others) expect(isOutage(error), String(error)).toBe(false);
  });
});

describe('CommentDetectionError', () => {
  it('is recognized whichever copy of the package made it, and nothing else is', () => {
    const marker = Symbol.for('@agent/comment-detection/CommentDetectionError');
    const own = new CommentDetectionError('no', { code: 'left-out', isPermanent: true });
    for (const value of [own, { [marker]: true }]) expect(CommentDetectionError.isInstance(value)).toBe(true);
    const marked = Object.assign(() => {}, { [marker]: true });
    for (const value of [null, undefined, 'text', {}, { [marker]: 'true' }, new Error('no'), marked])
      expect(CommentDetectionError.isInstance(value)).toBe(false);
  });
});
