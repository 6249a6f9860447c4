import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMeteredFetch, subtractTraffic } from './metered-fetch.ts';

let server: Server;
let url: string;
let written = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"one"';
    const body = isKnown ? '' : 'é'.repeat(500);
    response.writeHead(isKnown ? 304 : 200, {
      etag: '"one"',
      ...(isKnown ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    });
    response.end(body, () => {
      written = request.socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('createMeteredFetch', () => {
  it('counts the very bytes that a server writes, and a 304 as free', async () => {
    const meter = createMeteredFetch();
    await (await meter.fetch(url)).text();
    const whole = meter.read();
    expect(whole).toEqual({ requests: 1, counted: 1, bytes: written });
    expect(whole.bytes).toBeGreaterThan(1000);
    await meter.fetch(url, { headers: { 'if-none-match': '"one"' } });
    const unchanged = subtractTraffic(meter.read(), whole);
    expect(unchanged).toMatchObject({ requests: 1, counted: 0 });
    expect(unchanged.bytes).toBeLessThan(300);
  });
});
