import type { ThreadReader } from '@agent/platforms';
import type { TextGuard } from '../inbox/text-guard.ts';
import type { RunLogger } from '../ports.ts';

/** Longest text of a parent issue that is shown. */
const maxChars = 8_000;

/**
 * Shows the issue that an issue is a part of. Its text is information for the model whatever its author's rights are: the
 * task is the sub-issue alone. Empty where there is no parent, or where it cannot be read.
 */
export async function showParent({
  reader,
  guard,
  logger,
  signal,
}: {
  readonly reader: Pick<ThreadReader, 'readParent'>;
  readonly guard: Pick<TextGuard, 'clean' | 'wrap'>;
  readonly logger: Pick<RunLogger, 'warn'>;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  try {
    const parent = (await reader.readParent?.({ signal })) ?? null;
    if (parent === null) return '';
    const { number, title, body, author, url } = parent;
    const [name, text] = await Promise.all([guard.clean(title, url), guard.clean(body, url)]);
    const said = text.length > maxChars ? `${text.slice(0, maxChars)}\n…(truncated)` : text;
    const shown = guard.wrap(`${name}\n\n${said}`, { author: author?.login ?? null, authority: 'untrusted' });
    return `\n\nThis issue is a sub-issue of #${number}. The parent issue is background, not part of the task:\n\n${shown}`;
  } catch (error) {
    signal?.throwIfAborted();
    logger.warn({ err: error }, 'failed to read parent issue');
    return '';
  }
}
