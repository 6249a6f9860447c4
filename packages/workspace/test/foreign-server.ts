import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of somebody else's: notes what it is asked, and asks everybody to log in. */
export interface ForeignServer {
  readonly url: string;
  readonly requests: readonly string[];
  readonly close: () => void;
}

export async function startForeignServer(): Promise<ForeignServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="mine"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => void server.close() };
}
