import type { RunTools } from '@agent/runner';
import type { Run } from '../run/run.ts';
import { listWholeThread, type Snapshot } from '../run/run-thread.ts';
import { toShownFact } from '../thread/shown-comments.ts';
import type { TextGuard } from '../thread/text-guard.ts';
import type { ThreadShares } from '../thread/thread-shares.ts';
import { createReadCommentTool } from './read-comment-tool.ts';
import { createThreadBook } from './thread-book.ts';

export interface CommentToolsStart {
  readonly guard: TextGuard;
  /** Null when the run resumes: then the thread is read when the tool is first called. */
  readonly snapshot: Snapshot | null;
  readonly signal?: AbortSignal | undefined;
}

export type OpenCommentTools = (
  run: Pick<Run, 'uuid' | 'thread' | 'journal'>,
  start: CommentToolsStart,
) => Promise<RunTools>;

/** Creates what opens the tools that read comments of a run's own thread. */
export function createOpenCommentTools(shares: ThreadShares): OpenCommentTools {
  return async ({ uuid, thread, journal }, { guard, snapshot, signal }) => {
    const { platform, ports, audience } = thread;
    const ownAccount = await platform.platform.identity.whoAmI({ signal });
    const listComments = async () => {
      const { comments } = snapshot?.listing ?? (await listWholeThread(thread, { signal }));
      await audience.hear(comments);
      return comments;
    };
    const readThread = async () => snapshot?.thread ?? ports.reader.readThread({ signal });
    const listBooked = createThreadBook({ journal, listComments, readThread, ownAccount, uuid });
    const recordShown = async (shown: Parameters<typeof toShownFact>[0]) => {
      if (shown.comments.length > 0) await journal.append(toShownFact(shown));
    };
    return createReadCommentTool({ listBooked, guard, shares, recordShown });
  };
}
