import { estimateTokens } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { ContextCompressorOptions } from './context-compressor-options.ts';
import { createContextCounter } from './context-counter.ts';
import { countMessageTokens } from './count-message-tokens.ts';
import type { CompressibleContext, ContextCompressor } from './ports.ts';
import { requestSummary } from './request-summary.ts';
import { findCut } from './split-context.ts';
import { defaultSummaryPrompt, fitRecord, formatRecord, messagesPlaceholder } from './summary-prompt.ts';

/** Left for the summary itself: 40 percent of what is at most 70 percent of the window. */
const answerShare = 0.28;
/** How much the context must have grown, as a share of the window, before a summary that failed is asked for again. */
const retryShare = 0.05;

/**
 * Replaces the older part of a context by a summary once it fills its share of the window. One for each run: it
 * remembers what it counted. A summary that fails changes nothing.
 * @throws {TypeError} when the prompt has no place for the messages, or `model` or `contextLength` is missing
 * @see seed 002 §2.2 (`summaries.jsonl`)
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
      logger?.warn({ chars: answer.text.length }, 'the summary is of no use; the context stays as it is');
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
  logger?.warn({ option: 'compressionThreshold' }, 'an option is of no use; its default is taken');
  return usualThreshold;
}

function requirePlaceholder(prompt: string): void {
  if (prompt.includes(messagesPlaceholder)) return;
  throw new TypeError(
    `The summary prompt has no ${messagesPlaceholder}. Put it where the messages are to stand.`,
  );
}
