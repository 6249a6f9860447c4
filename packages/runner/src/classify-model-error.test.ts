import { APICallError } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vendorRefusals } from '../test/vendor-refusals/index.ts';
import { classifyModelError, type ModelFailure } from './classify-model-error.ts';

const now = () => Date.parse('2026-01-02T00:00:00Z');

function refuse(statusCode: number, { headers = {}, body = '' }: { headers?: object; body?: string } = {}) {
  const error = new APICallError({
    message: 'no',
    url: 'http://127.0.0.1/v1',
    requestBodyValues: {},
    statusCode,
    responseHeaders: headers as Record<string, string>,
    responseBody: body,
  });
  return classifyModelError(error, { now });
}

describe('what a model call failed of', () => {
  it.each([
    [{ 'retry-after': '20' }, 20_000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 00:05:00 GMT' }, 300_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }, null],
    [{ 'retry-after-ms': '1500', 'retry-after': '20' }, 1_500],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('names the time that the endpoint asks for: %j [NX-41]', (headers, retryAfterMs) => {
    expect(refuse(429, { headers })).toMatchObject({ kind: 'rate-limited', remedy: 'wait', retryAfterMs });
  });

  it.each([
    [200, '<html>Maintenance</html>', 'nonsense'],
    [405, ' \n<!doctype html>', 'nonsense'],
    [405, '{"error":{"message":"no such method"}}', 'unclear'],
    [502, '<html>Bad Gateway</html>', 'server-error'],
    [404, '<html>Not Found</html>', 'unknown-model'],
    [529, '', 'server-error'],
    [403, '{"error":{"message":"flagged by moderation"}}', 'refused'],
  ])('tells the page of a server between from words of the endpoint: %i %s [NX-42]', (status, body, kind) => {
    expect(refuse(status, { body }).kind).toBe(kind);
  });
});

describe('classifyModelError', () => {
  it.each(vendorRefusals.map((one, index) => ({ ...one, name: `${index} ${one.vendor} ${one.status}` })))(
    'sorts an error answer by what it proves: $name is $kind',
    ({ status, body, headers = {}, kind, known = {} }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const failure = refuse(status, { headers, body: text });
      expect({ kind: failure.kind, ...pick(failure, known) }).toEqual({ kind, ...known });
    },
  );
});

describe('an error answer that is unlike all known ones', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: 1,
    maxLength: 9,
  });
  const sentence = fc.array(letters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '));
  const bodies: ((words: string) => unknown)[] = [
    (words) => ({ error: { message: words, type: 'invalid_request_error', code: null } }),
    (words) => [{ error: { message: words, code: 400, status: 'INVALID_ARGUMENT' } }],
    (words) => ({ error: words }),
    (words) => ({ detail: words }),
    (words) => ({ detail: [{ loc: ['body', words], msg: words, type: 'value_error', input: words }] }),
    (words) => ({ errors: [{ message: words }] }),
    (words) => ({
      error: { message: 'Bad', metadata: { raw: JSON.stringify({ error: { message: words } }) } },
    }),
    (words) => ({ [words]: words }),
    (words) => words,
  ];

  it('never proves at once that the request is at fault', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(400, 404, 405, 409, 422, 418),
        sentence,
        fc.constantFrom(...bodies),
        (status, words, toBody) => {
          const body = toBody(words);
          const failure = refuse(status, { body: typeof body === 'string' ? body : JSON.stringify(body) });
          expect(failure.remedy).not.toBe('none');
        },
      ),
    );
  });
});

function pick(failure: ModelFailure, known: object): object {
  return Object.fromEntries(Object.keys(known).map((name) => [name, failure[name as keyof ModelFailure]]));
}
