import type { FinalSummary } from '@agent/context-inheritance/inheritance';
import type { SourceComment } from './list-source-comments.ts';

/**
 * The summary without decisions that rest on the words of somebody who may not steer: later runs would keep to what
 * this one was not to obey. @see decisions X11, C22
 */
export function dropUntrustedDecisions(
  summary: FinalSummary,
  sources: readonly SourceComment[],
): FinalSummary {
  const untrusted = new Set(sources.filter(({ authority }) => authority !== 'trusted').map(({ id }) => id));
  const isKept = ({ source_comment_id: id }: FinalSummary['key_decisions'][number]): boolean =>
    id === null || !untrusted.has(id);
  return { ...summary, key_decisions: summary.key_decisions.filter(isKept) };
}
