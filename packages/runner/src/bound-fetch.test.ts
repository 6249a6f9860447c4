import { expect, it } from 'vitest';
import { boundFetch } from './call-limits.ts';

const ask = (answer: Response, maxBytes: number) =>
  boundFetch({ maxBytes, fetch: async () => answer })('http://127.0.0.1/v1');

it('an answer of as many bytes as are read at most is read whole, with its status and headers', async () => {
  const answer = new Response('12345', { status: 201, statusText: 'Made', headers: { 'x-a': 'b' } });
  const response = await ask(answer, 5);
  expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([201, 'Made', 'b']);
  expect(await response.text()).toBe('12345');
});

it('an answer that is a byte longer fails, and says so by its code', async () => {
  const response = await ask(new Response('123456'), 5);
  await expect(response.text()).rejects.toMatchObject({ code: 'answer-too-long' });
});

it('an answer without a body is given as it is', async () => {
  const answer = new Response(null, { status: 204 });
  expect(await ask(answer, 5)).toBe(answer);
});
