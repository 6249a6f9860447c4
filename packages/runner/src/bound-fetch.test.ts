import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { boundFetch } from './call-limits.ts';
import { classifyModelError } from './classify-model-error.ts';

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

it('a redirect is not followed, whatever host it names, and the error says what to do', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = boundFetch()(`http://127.0.0.1:${port}/v1`, { method: 'POST', body: 'the conversation' });
  const error = await sent.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ message: expect.stringContaining('Configure that address instead') });
  expect(classifyModelError(error)).toMatchObject({
    remedy: 'retry',
    detail: expect.stringContaining('redirects'),
  });
  expect(asked).toEqual(['POST /v1']);
  server.close();
});

it('a conversation is not kept twice while the answer is waited for', async () => {
  const inits: (RequestInit | undefined)[] = [];
  const bounded = boundFetch({
    fetch: async (_, init) => {
      inits.push(init);
      return new Response(null, { status: 204 });
    },
  });
  await bounded('http://127.0.0.1/v1', { method: 'POST', body: 'the conversation' });
  expect(inits).toMatchObject([{ method: 'POST', redirect: 'error', window: null }]);
});
