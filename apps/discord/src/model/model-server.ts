/** A model server, for one exchange. */
export interface ModelServer {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}
