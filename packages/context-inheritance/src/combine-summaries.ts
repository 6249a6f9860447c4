import { formatTime } from '@agent/text';
import { shortenUuid } from './shorten-uuid.ts';

/** What a summary needs to stand among others. */
export interface DatedSummary {
  readonly uuid: string;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
  readonly summary: string;
}

/** One summary as it is; several, newest first, each under a heading with its run and date. @see decision C2 */
export function combineSummaries(summaries: readonly DatedSummary[], timeZone = 'UTC'): string {
  const [only] = summaries;
  if (only === undefined) return '';
  if (summaries.length === 1) return only.summary;
  return summaries
    .map(({ uuid, completedAt, summary }) => {
      return `#### #${shortenUuid(uuid)} (${formatTime(completedAt, timeZone)})\n${summary}`;
    })
    .join('\n\n');
}
