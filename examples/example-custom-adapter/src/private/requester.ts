/** One request to a JSON API. */
export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request. Rejects with a `code` that the daemon knows. */
export type Requester = <Answer>(path: string, options?: RequestOptions) => Promise<Answer>;

const codes: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate-limited',
};

/** Creates a requester for one API and one login. */
export function createRequester(base: string, authorization: string): Requester {
  return async <Answer>(
    path: string,
    { method = 'GET', body, signal }: RequestOptions = {},
  ): Promise<Answer> => {
    signal?.throwIfAborted();
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    if (response.ok) return (response.status === 204 ? null : await response.json()) as Answer;
    throw Object.assign(new Error(`${method} ${path} was answered with ${response.status}.`), {
      code: codes[response.status] ?? 'unavailable',
    });
  };
}
