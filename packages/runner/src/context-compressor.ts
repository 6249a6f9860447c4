import { estimateTokens } from '@agent/text';
import type { ModelMessage } from 'ai';
import { countMessageTokens } from './model-text.ts';
import type { CompressibleContext, ContextCompressor } from './ports.ts';
import {
  defaultSummaryPrompt,
  fitRecord,
  formatRecord,
  messagesPlaceholder,
  requestSummary,
  type SummaryRequestOptions,
} from './request-summary.ts';
import { listToolCalls } from './tally.ts';

/** Options of `createContextCompressor`. Its summaries are asked for in requests of their own. */
export interface ContextCompressorOptions
  extends Pick<SummaryRequestOptions, 'model' | 'maxRetries' | 'timeoutMs' | 'providerOptions' | 'logger'> {
  /** Tokens that the model takes, question and answer together. */
  readonly contextLength: number;
  /** Share of the window from which the context is compressed. Default 0.7. */
  readonly compressionThreshold?: number | undefined;
  /** Messages that always stay; more where a call and its result would be parted. Default 5. */
  readonly keepRecentMessages?: number | undefined;
  /** Fewer than these are not worth a summary. Default 10. */
  readonly minMessagesToSummarize?: number | undefined;
  /** Asks for the summary, with `{messages}` where the messages go. Default a prompt in English. */
  readonly summaryPrompt?: string | undefined;
  /** Default an estimate from classes of characters, a fifth too high. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Tokens that each request carries beside the conversation, such as the tools' descriptions. Default 0. */
  readonly reservedTokens?: number | undefined;
}

/** Left for the summary itself: 40 percent of what is at most 70 percent of the window. */
const answerShare = 0.28;
/** Growth of the context, as a share of the window, after which a summary that failed is asked for again. */
const retryShare = 0.05;

/**
 * Replaces the older part of a context by a summary once it fills its share of the window. One for each run: it
 * remembers what it counted. A summary that fails changes nothing.
 * @throws {TypeError} when the prompt has no place for the messages, or `model` or `contextLength` is missing
 * @see seed 002 §2.2 (`summaries.jsonl`)
 *
 * @example
 * const compressor = createContextCompressor({ model, contextLength: 32_000 });
 * await runTask({ model, tools, journal, openConversation, compressor });
 */
export function createContextCompressor(options: ContextCompressorOptions): ContextCompressor {
  const {
    contextLength,
    keepRecentMessages = 5,
    minMessagesToSummarize = 10,
    summaryPrompt = defaultSummaryPrompt,
    countTokens = estimateTokens,
    reservedTokens = 0,
    logger = null,
  } = options;
  requirePlaceholder(summaryPrompt);
  requireModel(options);
  const compressionThreshold = toThreshold(options);
  const countMessage = (message: ModelMessage) => countMessageTokens(message, countTokens);
  const countContext = createContextCounter(countMessage);
  let retryAbove = contextLength * compressionThreshold;

  const countMessages = (messages: readonly ModelMessage[]) =>
    messages.reduce((sum, message) => sum + countMessage(message), 0);

  function toPrompt(messages: readonly ModelMessage[]): string {
    const maxTokens = Math.floor(contextLength * (1 - answerShare)) - countTokens(summaryPrompt);
    const record = fitRecord(messages.map(formatRecord), { maxTokens, countTokens });
    return summaryPrompt.split(messagesPlaceholder).join(record);
  }

  async function compress(context: CompressibleContext): ReturnType<ContextCompressor['compress']> {
    const { messages, seqs, instructions, onWastedCall, signal } = context;
    const tokens = countContext(messages) + countTokens(instructions) + reservedTokens;
    if (tokens <= retryAbove) return null;
    const cut = findCut(messages, keepRecentMessages);
    const [startSeq, endSeq] = [seqs[0], seqs[cut - 1]];
    if (startSeq === undefined || endSeq === undefined || cut < Math.max(2, minMessagesToSummarize))
      return null;

    const older = messages.slice(0, cut);
    retryAbove = tokens + contextLength * retryShare;
    const answer = await requestSummary(toPrompt(older), { ...options, signal });
    if (answer === null) return null;
    const standIn: ModelMessage = { role: 'assistant', content: answer.text };
    if (answer.text === '' || countMessage(standIn) >= countMessages(older)) {
      onWastedCall(answer.usage);
      logger?.warn({ chars: answer.text.length }, 'discarded unusable summary; keeping context');
      return null;
    }
    retryAbove = contextLength * compressionThreshold;
    const summary = { startSeq, endSeq, text: answer.text, usage: answer.usage };
    return { messages: [standIn, ...messages.slice(cut)], summary };
  }

  return { compress };
}

function requireModel({ model, contextLength }: ContextCompressorOptions): void {
  if (model === undefined || model === null) {
    throw new TypeError('createContextCompressor needs the option "model": a model of the AI SDK.');
  }
  if (!(contextLength > 0)) {
    throw new TypeError('createContextCompressor needs the option "contextLength": tokens, more than 0.');
  }
}

const usualThreshold = 0.7;

function toThreshold({ compressionThreshold, logger }: ContextCompressorOptions): number {
  if (compressionThreshold === undefined) return usualThreshold;
  if (compressionThreshold > 0 && compressionThreshold <= 1) return compressionThreshold;
  logger?.warn({ option: 'compressionThreshold' }, 'ignoring invalid option; using default');
  return usualThreshold;
}

function requirePlaceholder(prompt: string): void {
  if (prompt.includes(messagesPlaceholder)) return;
  throw new TypeError(
    `The summary prompt has no ${messagesPlaceholder}. Put it where the messages should go.`,
  );
}

/**
 * Counts a context again and again while it grows: each message is counted once, however many stand before it. A
 * context that begins differently than the last one is counted anew.
 */
export function createContextCounter(
  countMessage: (message: ModelMessage) => number,
): (messages: readonly ModelMessage[]) => number {
  let counted: ModelMessage[] = [];
  let sum = 0;
  return (messages) => {
    if (!startsWith(messages, counted)) {
      counted = [];
      sum = 0;
    }
    for (const message of messages.slice(counted.length)) {
      sum += countMessage(message);
      counted.push(message);
    }
    return sum;
  };
}

function startsWith(messages: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  // A plain loop: it runs over the whole context at every step.
  for (let index = 0; index < start.length; index += 1) {
    if (messages[index] !== start[index]) return false;
  }
  return true;
}

/**
 * Finds where a context may be cut so that at least `keep` messages follow and no call stands on one side with its
 * result on the other: goes back until it may be cut. 0 when it may not be cut at all.
 */
export function findCut(messages: readonly ModelMessage[], keep: number): number {
  let reach = -1;
  let cut = 0;
  for (let index = 0; index < messages.length - keep; index += 1) {
    reach = Math.max(reach, findEndOfCalls(messages, index));
    if (reach <= index) cut = index + 1;
  }
  return cut;
}

/** Index of the last message that belongs to the calls of this one; its own when it makes none. */
function findEndOfCalls(messages: readonly ModelMessage[], start: number): number {
  const message = messages[start];
  let open = message === undefined ? 0 : listToolCalls(message).length;
  let end = start;
  for (let index = start + 1; open > 0; index += 1) {
    const next = messages[index];
    // Results that are still to come belong to their calls as well.
    if (next === undefined) return messages.length;
    if (next.role === 'assistant') break;
    if (next.role === 'tool') {
      end = index;
      open -= next.content.length;
    }
  }
  return end;
}
