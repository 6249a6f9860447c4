import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request to a REST API, read. */
export interface RestRequest {
  readonly method: string;
  /** Path below the base of the API, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Reads all of a request; `base` is the part of its path that the API begins after. */
export async function readRestRequest(
  { incoming, url }: { readonly incoming: IncomingMessage; readonly url: URL },
  base: string,
): Promise<RestRequest> {
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname.slice(base.length) || '/',
    query: url.searchParams,
    headers: incoming.headers,
    text: await readText(incoming),
  };
}

/** Everything that a request carries, as text. */
async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
