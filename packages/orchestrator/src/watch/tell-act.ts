import { type CommentWriter, parseTaskKey, type TaskKey } from '@agent/platforms';
import { toCodeSpan } from '@agent/text/outgoing';
import type { RunLogger } from '../ports.ts';
import type { RunEntry } from './board-row.ts';
import type { ActRequest, RunControl } from './run-actions.ts';
import type { WatchTexts } from './texts.ts';

/** Opens what writes on a thread; null where its platform is not connected. */
export type OpenThreadWriter = (host: string, key: TaskKey) => Pick<CommentWriter, 'ensureComment'> | null;

/** Acts of which the run itself says nothing: who stopped or paused it stands in its own comment. */
const toldHere: ReadonlySet<RunControl> = new Set<RunControl>(['resume', 'retry', 'settle', 'budget']);

/**
 * Says on the thread of a run who acted on it from outside. Whoever acts is not kept waiting for it, and the act holds where the
 * platform takes no comment now: the audit log has it.
 */
export async function tellAct(
  { id, host, threadKey }: Pick<RunEntry, 'id' | 'host' | 'threadKey'>,
  { control, actor }: Pick<ActRequest, 'control' | 'actor'>,
  {
    openWriter,
    texts,
    at,
    logger,
  }: {
    readonly openWriter: OpenThreadWriter;
    readonly texts: WatchTexts;
    /** Milliseconds since 1970. */
    readonly at: number;
    readonly logger: Pick<RunLogger, 'warn'>;
  },
): Promise<void> {
  if (!toldHere.has(control)) return;
  try {
    const body = texts.acted[control as keyof WatchTexts['acted']](toCodeSpan(actor));
    const writer = openWriter(host, parseTaskKey(threadKey));
    await writer?.ensureComment({ topic: `run:${id}:${control}:${at}`, body });
  } catch (err) {
    logger.warn({ err, run: id, control }, 'the thread could not be told who acted on its run');
  }
}
