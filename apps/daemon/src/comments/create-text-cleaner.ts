import { createHash } from 'node:crypto';
import { cleanUntrustedText, type Removal } from '@agent/thread-context';
import type { DaemonLogger } from '../log/logger.ts';

/** What any platform takes in one text, and more; beyond it, the end of something hidden may be missing. */
const maxReadChars = 2_097_152;
const truncationMark = '…(truncated)';

/**
 * Makes the function that every text of people passes on its way to the model: without what no page shows. A text
 * that is longer than any platform takes is not shown at all. That something was taken out is logged once, by kind
 * and number, never what.
 */
export function createTextCleaner(logger: DaemonLogger): (text: string) => string {
  const report = createReport(logger);
  return (text) => {
    const { text: cleaned, removed } = cleanUntrustedText(text, { maxChars: maxReadChars });
    if (removed.length > 0) report(text, removed);
    const isTooLong = removed.some(({ kind }) => kind === 'over-limit');
    return isTooLong ? truncationMark : cleaned;
  };
}

function createReport(logger: DaemonLogger): (text: string, removed: readonly Removal[]) => void {
  const reported = new Set<string>();
  return (text, removed) => {
    const hash = createHash('sha256').update(text).digest('base64');
    if (reported.has(hash)) return;
    reported.add(hash);
    logger.info({ chars: text.length, removed }, 'hidden parts of a text were taken out');
  };
}
