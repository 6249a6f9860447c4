import { isProgrammingError, type Logger, toErrorMessage } from '@agent/text';
import type { Conversation } from './conversation.ts';
import type { CheckpointName, CheckpointVerdict, TokenUsage } from './model.ts';

import type { CommentDelivery, CommentInbox, ContextCompressor, RunSignal, RunSignals } from './ports.ts';
import { findInterruption, type Interruption, type Run } from './run.ts';

/** Ports of a checkpoint. */
interface CheckpointPorts {
  readonly signals?: RunSignals | null | undefined;
  readonly comments?: CommentInbox | null | undefined;
  /** Takes a delivery into the conversation; its line is synced when it resolves. */
  readonly deliver: (delivery: CommentDelivery) => Promise<void>;
  /** Asked first; null while nothing ends the run. */
  readonly findInterruption: () => Interruption | null;
  /** Ends a question at once. */
  readonly signal?: AbortSignal | undefined;
  readonly logger?: Logger | null | undefined;
}

/** Answer of a checkpoint. */
interface CheckpointResult {
  readonly verdict: CheckpointVerdict;
  /** Result of polling the thread; `failed` when it could not be asked. */
  readonly poll: 'none' | 'delivered' | 'failed';
  /** Number of changes that were delivered. */
  readonly delivered: number;
}

interface PollOptions {
  /** False leaves the comments out. */
  readonly poll: boolean;
  /** True asks for a poll that begins now. */
  readonly barrier: boolean;
}

/**
 * The one place where a run lets itself be steered: a shutdown, then pause, stop, comments, in this order. Nothing is
 * pending in the conversation here.
 * @see seed 001 §3.3 (order), decision B16
 */
async function check(ports: CheckpointPorts, options: PollOptions): Promise<CheckpointResult> {
  const unasked = { poll: 'none', delivered: 0 } as const;
  const asked = ports.findInterruption() ?? (await askSignals(ports));
  const signal = ports.findInterruption() ?? asked;
  if (signal !== 'none') return { verdict: signal, ...unasked };
  const { hasCommands, ...polled } = options.poll ? await deliverComments(ports, options) : nothingDelivered;
  // A command holds before the model is asked again.
  const commanded = hasCommands ? await askSignals(ports) : 'none';
  if (commanded !== 'none') return { verdict: commanded, ...polled };
  return { verdict: polled.poll === 'delivered' ? 'delivered' : 'go', ...polled };
}

interface CheckpointOptions {
  readonly name: CheckpointName;
  /** False leaves the comments out. Default true. */
  readonly poll?: boolean;
}

/** Passes a checkpoint of `runTask`; before an iteration the context is made to fit, and then the model may be called. */
export async function passCheckpoint(
  run: Run,
  { name, poll = true }: CheckpointOptions,
): Promise<CheckpointResult> {
  const result = await check(toPorts(run), { poll, barrier: name === 'before_finish' });
  const { verdict, delivered } = result;
  if (delivered > 0) run.emit({ type: 'comments-delivered', name, count: delivered });
  const goesOn = verdict === 'go' || verdict === 'delivered';
  if (goesOn && name !== 'before_call' && name !== 'before_finish') await compressContext(run);
  run.emit({ type: 'checkpoint', name, verdict });
  return result;
}

function toPorts(run: Run): CheckpointPorts {
  const { signals, comments, hardSignal: signal } = run.steering;
  const { logger } = run.settings;
  const deliver = deliverTo(run.conversation);
  return { signals, comments, deliver, findInterruption: () => findInterruption(run), signal, logger };
}

/** Gives what takes deliveries into a conversation. */
export function deliverTo(conversation: Pick<Conversation, 'append'>): CheckpointPorts['deliver'] {
  return ({ text, receipt: { delivers } }) =>
    conversation.append({ role: 'user', content: text }, { delivers });
}

const maxRounds = 5;
const retryAfterMs = 5_000;
const giveUpAfterMs = 60_000;

/** A checkpoint before the end. */
export interface FinishBarrier {
  readonly pass: (options: { readonly poll: boolean }) => Promise<CheckpointResult>;
  /** Resolves after this long, or at a shutdown. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Times that it has brought comments; counted here. */
  readonly counted: { rounds: number };
  readonly logger?: Logger | null | undefined;
}

/**
 * Lets a run end only after a poll of the thread that began after its last answer and brought nothing. Where the
 * thread cannot be asked it tries for a minute, then lets the run end.
 * @see decision B21
 */
export async function passFinishBarrier(barrier: FinishBarrier): Promise<CheckpointVerdict> {
  const { pass, wait, counted, logger } = barrier;
  const poll = counted.rounds < maxRounds;
  for (let waitedMs = 0; ; waitedMs += retryAfterMs) {
    const result = await pass({ poll });
    if (result.verdict === 'delivered') counted.rounds += 1;
    if (result.verdict !== 'go' || result.poll !== 'failed') return result.verdict;
    if (waitedMs >= giveUpAfterMs) break;
    await wait(retryAfterMs);
  }
  logger?.warn({ waitedMs: giveUpAfterMs }, 'finishing without final poll');
  return 'go';
}

/** Step that a loop of one's own takes next: `work` asks the model, `end` delivers its last answer. */
export type NextStep = 'work' | 'end' | 'pause' | 'stop' | 'shutdown';

/** Creates what a loop of one's own asks before each step: the checkpoints of `runTask`, and its barrier before the end. */
export function createCheckpoint(
  ports: CheckpointPorts,
  { endsWithAnswer, wait }: { readonly endsWithAnswer: () => boolean } & Pick<FinishBarrier, 'wait'>,
): () => Promise<NextStep> {
  const counted = { rounds: 0 };
  const pass = ({ poll }: { readonly poll: boolean }) => check(ports, { poll, barrier: true });
  return async () => {
    const isDone = endsWithAnswer();
    const verdict = isDone
      ? await passFinishBarrier({ pass, wait, counted, logger: ports.logger })
      : (await check(ports, { poll: true, barrier: false })).verdict;
    const interruption = ports.findInterruption();
    if (interruption !== null) return interruption;
    if (verdict === 'delivered') return 'work';
    if (verdict === 'go') return isDone ? 'end' : 'work';
    return verdict;
  };
}

async function askSignals({ signals, signal, logger }: CheckpointPorts): Promise<RunSignal> {
  try {
    return (await signals?.read({ signal })) ?? 'none';
  } catch (err) {
    if (isProgrammingError(err)) throw toDefect('signals', err);
    logger?.warn({ err }, 'failed to check for pause or stop');
    return 'none';
  }
}

/** Makes the context smaller where it has to be. A compression that fails leaves it as it is. */
async function compressContext(run: Run): Promise<void> {
  const { compressor } = run.steering;
  if (!compressor) return;
  const compressed = await compress(run, compressor);
  if (compressed === null) return;
  const summary = { ...compressed.summary, text: run.settings.redactSecrets(compressed.summary.text) };
  await run.conversation.replace(compressed.messages, summary);
  run.window.forget(summary);
  run.emit({ type: 'context-compressed', startSeq: summary.startSeq, endSeq: summary.endSeq });
}

async function compress(run: Run, compressor: ContextCompressor): ReturnType<ContextCompressor['compress']> {
  const { messages, seqs, instructions, context } = run.conversation;
  const delivering = context.filter(({ delivers }) => delivers).map(({ seq }) => seq);
  const onWastedCall = (usage: TokenUsage) => run.conversation.spend(usage);
  const { hardSignal: signal } = run.steering;
  const sent = { delivering, toolTokens: run.calls.toolTokens };
  try {
    return await compressor.compress({ messages, seqs, instructions, ...sent, onWastedCall, signal });
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to compress context; continuing uncompressed');
    return null;
  }
}

type DeliveryResult = Pick<CheckpointResult, 'poll' | 'delivered'> & { readonly hasCommands: boolean };

const nothingDelivered: DeliveryResult = { poll: 'none', delivered: 0, hasCommands: false };

/**
 * Takes what was said since the last poll into the conversation, as a message of the user, or several where it is long; the
 * line of each in the journal says what it delivers. Only a synced line counts as delivered.
 */
async function deliverComments(
  ports: CheckpointPorts,
  { barrier }: Pick<PollOptions, 'barrier'>,
): Promise<DeliveryResult> {
  const inbox = ports.comments ?? null;
  if (inbox === null) return nothingDelivered;
  const first = await pollInbox(ports, { inbox, barrier });
  if (first.delivery === null) {
    const isUnheard = first.status === 'failed' || (barrier && first.status === 'skipped');
    return isUnheard ? { ...nothingDelivered, poll: 'failed' } : nothingDelivered;
  }
  let delivered = 0;
  let hasCommands = false;
  for (let delivery: CommentDelivery | null = first.delivery; delivery !== null; ) {
    await ports.deliver(delivery);
    inbox.markDelivered(delivery.receipt);
    delivered += delivery.receipt.delivers.length;
    hasCommands ||= delivery.hasCommands ?? true;
    delivery =
      delivery.hasMore === true ? (await pollInbox(ports, { inbox, barrier: false })).delivery : null;
  }
  return { poll: 'delivered', delivered, hasCommands };
}

async function pollInbox(
  { signal, logger }: Pick<CheckpointPorts, 'signal' | 'logger'>,
  { inbox, barrier }: { readonly inbox: CommentInbox; readonly barrier: boolean },
): ReturnType<CommentInbox['takeDelivery']> {
  try {
    const polled = await inbox.takeDelivery({ barrier, signal });
    if (polled.status === 'failed' && isProgrammingError(polled.error)) throw polled.error;
    return polled;
  } catch (err) {
    if (isProgrammingError(err)) throw toDefect('comments', err);
    logger?.warn({ err }, 'failed to poll for new comments; retrying at next checkpoint');
    return { status: 'failed', delivery: null };
  }
}

const expected = {
  signals: 'Set "signals" to an object whose "read" resolves with "none", "pause" or "stop"',
  comments:
    'Set "comments" (of a PlanningCoordinator: "commentDetectionManager") to a CommentDetectionManager of @agent/comment-detection, or to what createCommentInbox returns',
} as const;

/** A defect in code that a run was given: no retry fixes it, so it ends the run. */
function toDefect(name: keyof typeof expected, cause: unknown): TypeError {
  return new TypeError(
    `A checkpoint failed with a programming error: ${toErrorMessage(cause)}. ${expected[name]}.`,
    {
      cause,
    },
  );
}
