import { PlatformError } from '../platform-error.ts';
import { withinTimeLimit } from './time-limit.ts';

/** Options of a reading of the end of a file. */
export interface ReadTailOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly maxChars: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Nobody waits for the end of a file that is longer. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the end of a file on a server that is told nothing of us: no token goes there. Null where it is not shown, or too long.
 *
 * @throws PlatformError `unavailable`, or the signal's reason
 */
export async function readTail(address: string, options: ReadTailOptions): Promise<string | null> {
  const { maxChars, timeoutMs, signal } = options;
  const tooLong = () => new DOMException('The file was not there in time.', 'TimeoutError');
  const read = async (within: AbortSignal): Promise<string | null> => {
    const response = await options.fetch(address, { signal: within });
    if (!response.ok || response.body === null) return null;
    const decoder = new TextDecoder();
    let tail = '';
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxBytes) return null;
      tail = `${tail}${decoder.decode(chunk, { stream: true })}`.slice(-maxChars);
    }
    return tail;
  };
  try {
    return await withinTimeLimit(read, { timeoutMs, signal, tooLong });
  } catch (cause) {
    signal?.throwIfAborted();
    const { host } = new URL(address);
    throw new PlatformError(`Could not read a file on ${host}; ask again later.`, {
      code: 'unavailable',
      cause,
    });
  }
}
