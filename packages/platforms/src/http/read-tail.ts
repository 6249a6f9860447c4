import { withinTimeLimit } from '@agent/text/waiting';
import { PlatformError } from '../platform-error.ts';

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
  const tooLong = () => new DOMException('The file did not arrive in time.', 'TimeoutError');
  const read = async (within: AbortSignal): Promise<string | null> => {
    const response = await options.fetch(address, { signal: within });
    if (!response.ok || response.body === null) return null;
    const decoder = new TextDecoder();
    let tail = '';
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxBytes) return null;
      // One character more tells that something was before.
      tail = `${tail}${decoder.decode(chunk, { stream: true })}`.slice(-maxChars - 1);
    }
    return keepLastLines(tail, { maxChars });
  };
  try {
    return await withinTimeLimit(read, { timeoutMs, signal, tooLong });
  } catch (cause) {
    signal?.throwIfAborted();
    const { host } = new URL(address);
    throw new PlatformError(`Could not read a file on ${host}; try again later.`, {
      code: 'unavailable',
      cause,
    });
  }
}

/**
 * Keeps the whole lines at the end of a text. Of a line that is cut the rest could be a part of a secret, which nobody can tell then and hide; where
 * there is but one line, what follows its first gap stays.
 */
export function keepLastLines(text: string, { maxChars }: Pick<ReadTailOptions, 'maxChars'>): string {
  if (text.length <= maxChars) return text;
  const end = text.slice(-maxChars - 1);
  const line = end.trimEnd().indexOf('\n');
  const cut = line === -1 ? end.trimEnd().search(/\s/u) : line;
  return cut === -1 ? '' : end.slice(cut + 1);
}
