import type { CommentListing } from '@agent/platforms';
import type { ActiveRun } from './run.ts';

/**
 * All comments of a run's thread as they stand now. The run's own source only says "unchanged" of what it has listed
 * before, so that this is read by a reader of its own.
 */
export function listWholeThread(
  { platform, key, meter }: Pick<ActiveRun, 'platform' | 'key' | 'meter'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CommentListing> {
  const { comments } = platform.platform.openThread(key, { onRequest: meter.onRequest });
  return comments.listComments({ since: null, fresh: true, signal });
}
