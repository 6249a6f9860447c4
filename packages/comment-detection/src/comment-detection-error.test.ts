import { describe, expect, it, vi } from 'vitest';
import { CommentDetectionError, heedFailure, heedPoll, isOutage } from './comment-detection-error.ts';

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
      failing({ status: 400 }, 'terminated'),
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

describe('what becomes of a failure', () => {
  it('ends the call with what was thrown, also where that was no error [NX-50]', () => {
    expect(() => heedPoll({ status: 'failed', error: 'refused' }, undefined)).toThrow(
      'could not be read: refused.',
    );
    expect(() => heedPoll({ status: 'checked', error: 'refused' }, undefined)).not.toThrow();
  });

  it('is a warning where nobody asked to be told, but for an outage, which passes [NX-50]', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const leftOut = new CommentDetectionError('left out', { code: 'left-out', isPermanent: true });
    const outage = new CommentDetectionError('away', { code: 'look-failed', isPermanent: false });
    heedFailure(outage, undefined);
    for (const failure of [leftOut, outage]) heedFailure(failure, () => undefined);
    expect(warn).not.toHaveBeenCalled();
    heedFailure(leftOut, undefined);
    expect(warn.mock.calls).toEqual([['left out']]);
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
