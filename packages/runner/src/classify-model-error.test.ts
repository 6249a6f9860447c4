import { APICallError } from 'ai';
import { describe, expect, it } from 'vitest';
import { classifyModelError } from './classify-model-error.ts';

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
    [405, '{"error":{"message":"no such method"}}', 'refused'],
    [502, '<html>Bad Gateway</html>', 'server-error'],
    [404, '<html>Not Found</html>', 'unknown-model'],
    [529, '', 'server-error'],
    [403, '{"error":{"message":"flagged by moderation"}}', 'refused'],
  ])('tells the page of a server between from words of the endpoint: %i %s [NX-42]', (status, body, kind) => {
    expect(refuse(status, { body }).kind).toBe(kind);
  });
});
