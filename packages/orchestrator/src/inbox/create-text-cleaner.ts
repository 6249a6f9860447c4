import { createHash } from 'node:crypto';
import type { Removal } from '@agent/text';
import type { TextWorker } from '@agent/text/worker';
import type { RunLogger } from '../ports.ts';

/** What any platform takes in one text, and more; beyond it, the end of something hidden may be missing. */
const maxReadChars = 2_097_152;
const truncationMark = '…(truncated)';

/** A text without what no page shows. `url` is where it stands, for the notice that is shown in its place if need be. */
export type CleanText = (text: string, url?: string | null) => Promise<string>;

export interface TextCleanerOptions {
  readonly textWorker: Pick<TextWorker, 'clean'>;
  readonly logger: RunLogger;
}

/**
 * Makes the function that every text of people passes on its way to the model. A text that is longer than any platform
 * takes, or that cannot be cleaned in time, is not shown at all. What was taken out or not shown is logged once, by kind and
 * number, never what.
 */
export function createTextCleaner({ textWorker, logger }: TextCleanerOptions): CleanText {
  const isFirst = rememberTexts();
  return async (text, url = null) => {
    const result = await textWorker.clean(text, { maxChars: maxReadChars });
    if (result === null) {
      if (isFirst(text))
        logger.warn({ chars: text.length, url }, 'a text took too long to be cleaned; it is not shown');
      return toNotice(text, url);
    }
    const { text: cleaned, removed } = result;
    if (removed.length > 0 && isFirst(text))
      logger.info({ chars: text.length, removed }, 'hidden parts of a text were taken out');
    return isTooLong(removed) ? truncationMark : cleaned;
  };
}

function isTooLong(removed: readonly Removal[]): boolean {
  return removed.some(({ kind }) => kind === 'over-limit');
}

function toNotice({ length }: string, url: string | null): string {
  const place = url === null ? '' : ` People can read it at ${url}`;
  return `(Here stands a text of ${length} characters that could not be cleaned in time, so that it is not shown.${place})`;
}

function rememberTexts(): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => {
    const hash = createHash('sha256').update(text).digest('base64');
    const isNew = !known.has(hash);
    known.add(hash);
    return isNew;
  };
}
