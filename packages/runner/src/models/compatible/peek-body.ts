/** A body whose beginning was read: the same bytes are in `body`. */
export interface PeekedBody {
  /** The text up to the first one that `isEnough` accepts, or all of it. */
  readonly start: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** Reads the beginning of a body. A body that breaks off is not an error here: `body` breaks off again. */
export async function peekBody(
  given: ReadableStream<Uint8Array>,
  isEnough: (start: string) => boolean,
): Promise<PeekedBody> {
  const [peeked, body] = given.tee();
  const reader = peeked
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let start = '';
  try {
    while (!isEnough(start)) {
      const { done, value } = await reader.read();
      if (done) break;
      start += value;
    }
  } catch {
    return { start, body };
  }
  reader.cancel().catch(() => undefined);
  return { start, body };
}
