import type { FinalSummary } from '@agent/context-inheritance';
import type { SourceComment } from './list-source-comments.ts';

/**
 * The summary with those decisions alone that rest on the words of somebody who may steer: later runs would keep to what
 * this one was not to obey. One without a source, or with a source that nobody knows, could come from anybody.
 *
 * @see decisions X11, C22
 */
export function dropUntrustedDecisions(
  summary: FinalSummary,
  sources: readonly SourceComment[],
): FinalSummary {
  const trusted = new Set(sources.filter(({ authority }) => authority === 'trusted').map(({ id }) => id));
  const isKept = ({ source_comment_id: id }: FinalSummary['key_decisions'][number]): boolean =>
    id !== null && trusted.has(id);
  return { ...summary, key_decisions: summary.key_decisions.filter(isKept) };
}
