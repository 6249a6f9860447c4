import type { IncomingHttpHeaders } from 'node:http';

/** A request to a REST API, read. */
export interface RestRequest {
  readonly method: string;
  /** Path below the base of the API, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
