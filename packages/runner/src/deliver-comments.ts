import type { CheckpointName } from './events.ts';
import type { CommentInbox } from './ports.ts';
import type { Run } from './run.ts';

/** What a look at the thread came to; `failed` when it could not be asked. */
export type LookResult = 'none' | 'delivered' | 'failed';

/**
 * Takes what was said since the last look into the conversation, as one message of the user, whose line in the
 * journal says what it delivers. Only a synced line counts as delivered.
 */
export async function deliverComments(run: Run, name: CheckpointName): Promise<LookResult> {
  const inbox = run.options.comments ?? null;
  if (inbox === null) return 'none';
  const barrier = name === 'before_finish';
  const { status, delivery } = await look(run, { inbox, barrier });
  if (delivery !== null) {
    const { delivers } = delivery.receipt;
    await run.conversation.append({ role: 'user', content: delivery.text }, { delivers });
    inbox.markDelivered(delivery.receipt);
    run.emit({ type: 'comments-delivered', name, count: delivers.length });
    return 'delivered';
  }
  return status === 'failed' || (barrier && status === 'skipped') ? 'failed' : 'none';
}

async function look(
  run: Run,
  { inbox, barrier }: { readonly inbox: CommentInbox; readonly barrier: boolean },
): ReturnType<CommentInbox['takeDelivery']> {
  try {
    return await inbox.takeDelivery({ barrier, signal: run.options.hardSignal });
  } catch (err) {
    run.logger?.warn({ err }, 'could not look for new comments; looking again at the next checkpoint');
    return { status: 'failed', delivery: null };
  }
}
