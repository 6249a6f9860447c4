import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecordingFetch } from './recording-fetch.ts';
import type { ShapeLine } from './shape-line.ts';

const server = createServer();
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('createRecordingFetch', () => {
  class RunInterruption extends Error {}

  it.each([
    ['aborted', new RunInterruption('stop')],
    ['aborted', new DOMException('The user aborted a request.', 'AbortError')],
    ['timed out', new DOMException('The answer did not arrive in time.', 'TimeoutError')],
  ])('records a request that ends as %s with the reason %s', async (failure, reason) => {
    const lines: ShapeLine[] = [];
    const send = createRecordingFetch({
      ...{ fetch: globalThis.fetch, source: 'daemon', now: () => 0 },
      write: (line) => lines.push(line),
    });
    const ended = new AbortController();
    server.once('request', () => ended.abort(reason));
    const { port } = server.address() as AddressInfo;
    const asked = send(`http://127.0.0.1:${port}/v1/responses`, { method: 'POST', signal: ended.signal });
    await expect(asked).rejects.toBe(reason);
    expect(lines).toMatchObject([{ status: null, failure }]);
  });
});
