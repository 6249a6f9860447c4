import type { CheckpointName, CheckpointVerdict } from './events.ts';
import type { TokenUsage } from './model.ts';
import type { CommentInbox, ContextCompressor, RunSignal } from './ports.ts';
import { isShutDown, type Run } from './run.ts';

interface CheckpointOptions {
  readonly name: CheckpointName;
  /** False leaves the comments out. Default true. */
  readonly poll?: boolean;
}

/**
 * The one place where a run lets itself be steered: a shutdown, then pause, stop, comments, in this order; then
 * the context is made to fit, and the model may be called. Nothing is pending in the conversation here.
 * @see seed 001 §3.3 (order), decision B16
 */
export async function passCheckpoint(
  run: Run,
  { name, poll = true }: CheckpointOptions,
): Promise<{ readonly verdict: CheckpointVerdict; readonly poll: PollResult }> {
  const result = await ask(run, { name, poll });
  run.emit({ type: 'checkpoint', name, verdict: result.verdict });
  return result;
}

async function ask(run: Run, { name, poll }: { readonly name: CheckpointName; readonly poll: boolean }) {
  if (isShutDown(run)) return { verdict: 'shutdown', poll: 'none' } as const;
  const signal = await askSignals(run);
  if (isShutDown(run)) return { verdict: 'shutdown', poll: 'none' } as const;
  if (signal !== 'none') return { verdict: signal, poll: 'none' } as const;
  const { result, hasCommands } = poll ? await deliverComments(run, name) : nothingDelivered;
  // A command holds before the model is asked again.
  const commanded = hasCommands ? await askSignals(run) : 'none';
  if (commanded !== 'none') return { verdict: commanded, poll: result } as const;
  if (name === 'before_iteration') await compressContext(run);
  return { verdict: result === 'delivered' ? 'delivered' : 'go', poll: result } as const;
}

async function askSignals({ settings: { signals, hardSignal, logger } }: Run): Promise<RunSignal> {
  try {
    return (await signals?.read({ signal: hardSignal })) ?? 'none';
  } catch (err) {
    logger?.warn({ err }, 'could not ask for pause and stop; asking again at the next checkpoint');
    return 'none';
  }
}

/** Makes the context smaller where it has to be. A compression that fails leaves it as it is. */
async function compressContext(run: Run): Promise<void> {
  const { compressor } = run.settings;
  if (!compressor) return;
  const compressed = await compress(run, compressor);
  if (compressed === null) return;
  const summary = { ...compressed.summary, text: run.settings.hideKnownSecrets(compressed.summary.text) };
  await run.conversation.replace(compressed.messages, summary);
  run.emit({ type: 'context-compressed', startSeq: summary.startSeq, endSeq: summary.endSeq });
}

async function compress(run: Run, compressor: ContextCompressor): ReturnType<ContextCompressor['compress']> {
  const { messages, seqs, instructions } = run.conversation;
  const onWastedCall = (usage: TokenUsage) => run.conversation.spend(usage);
  const { hardSignal: signal } = run.settings;
  try {
    return await compressor.compress({ messages, seqs, instructions, onWastedCall, signal });
  } catch (err) {
    run.settings.logger?.warn({ err }, 'could not compress the context; going on with the whole');
    return null;
  }
}

/** Result of polling the thread; `failed` when it could not be asked. */
type PollResult = 'none' | 'delivered' | 'failed';

interface DeliveryResult {
  readonly result: PollResult;
  readonly hasCommands: boolean;
}

const nothingDelivered: DeliveryResult = { result: 'none', hasCommands: false };

/**
 * Takes what was said since the last poll into the conversation, as one message of the user, whose line in the
 * journal says what it delivers. Only a synced line counts as delivered.
 */
async function deliverComments(run: Run, name: CheckpointName): Promise<DeliveryResult> {
  const inbox = run.settings.comments ?? null;
  if (inbox === null) return nothingDelivered;
  const barrier = name === 'before_finish';
  const { status, delivery } = await pollInbox(run, { inbox, barrier });
  if (delivery !== null) {
    const { delivers } = delivery.receipt;
    await run.conversation.append({ role: 'user', content: delivery.text }, { delivers });
    inbox.markDelivered(delivery.receipt);
    run.emit({ type: 'comments-delivered', name, count: delivers.length });
    return { result: 'delivered', hasCommands: delivery.hasCommands ?? true };
  }
  const isUnheard = status === 'failed' || (barrier && status === 'skipped');
  return { result: isUnheard ? 'failed' : 'none', hasCommands: false };
}

async function pollInbox(
  run: Run,
  { inbox, barrier }: { readonly inbox: CommentInbox; readonly barrier: boolean },
): ReturnType<CommentInbox['takeDelivery']> {
  try {
    return await inbox.takeDelivery({ barrier, signal: run.settings.hardSignal });
  } catch (err) {
    run.settings.logger?.warn(
      { err },
      'could not poll for new comments; polling again at the next checkpoint',
    );
    return { status: 'failed', delivery: null };
  }
}
