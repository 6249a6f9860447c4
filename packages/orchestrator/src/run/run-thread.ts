import type { CommentListing, TaskKey, Thread } from '@agent/platforms';
import type { Inherited } from '../past/inherit-context.ts';
import type { ConfiguredPlatform, RequestMeter, RunThread } from './run.ts';

/** A thread of which no run has been made yet. */
export type OpenedThread = Pick<RunThread, 'platform' | 'ports' | 'comments' | 'meter'>;

/** Opens a thread for one run: its ports and its comments, with one meter for the requests of both. Makes no request. */
export function openRunThread(platform: ConfiguredPlatform, key: TaskKey): OpenedThread {
  const meter = createRequestMeter();
  const ports = platform.platform.openThread(key, { onRequest: meter.onRequest });
  return { platform, ports, comments: platform.openSource(ports), meter };
}

/** Counts from 0. */
export function createRequestMeter(): RequestMeter {
  let made = 0;
  let unchanged = 0;
  return {
    onRequest: (record) => {
      made += 1;
      if (record.status === 304) unchanged += 1;
    },
    count: () => ({ made, unchanged }),
  };
}

/**
 * Lists all comments of a run's thread as they stand now. The run's own source only says "unchanged" of what it has listed
 * before, so that this is read by a reader of its own.
 */
export function listWholeThread(
  { platform, ports, meter }: Pick<OpenedThread, 'ports' | 'meter'> & WithPlatform,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CommentListing> {
  const { comments } = platform.platform.openThread(ports.key, { onRequest: meter.onRequest });
  return comments.listComments({ since: null, fresh: true, signal });
}

interface WithPlatform {
  readonly platform: Pick<ConfiguredPlatform, 'platform'>;
}

/** One look at a thread. */
export interface ThreadSnapshot {
  readonly thread: Thread;
  readonly listing: CommentListing;
}

/** Start of the first prompt and of everything later. */
export interface Snapshot extends ThreadSnapshot {
  /** Context inherited from earlier runs; null for a run that begins anew. */
  readonly inherited: Inherited | null;
}
