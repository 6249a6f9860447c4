/** Limits of `boundFetch`. */
export interface BoundedFetchOptions {
  /** Bytes of a body, after it was unpacked, that are read at most. Default 2,097,152. */
  readonly maxBytes?: number | undefined;
  /** Default the system's. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A `fetch` for a model's provider that reads no answer without end: one that is longer fails, by an error whose `code`
 * is `answer-too-long`, as soon as that is known, and its connection is closed.
 *
 * @example
 * const provider = createOpenAI({ apiKey, fetch: boundFetch({ maxBytes: 1_000_000 }) });
 */
export function boundFetch({
  maxBytes = 2_097_152,
  fetch: send = fetch,
}: BoundedFetchOptions = {}): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(countBytes(maxBytes)), { status, statusText, headers });
  };
}

function countBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const message = `The answer of the model's endpoint is longer than ${maxBytes} bytes.`;
      controller.error(Object.assign(new Error(message), { code: 'answer-too-long' }));
    },
  });
}
