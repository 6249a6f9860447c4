import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import { expectModel } from './expectations.ts';
import type { CompressibleContext, ContextCompressor } from './ports.ts';
import {
  defaultSummaryPrompt,
  fitRecord,
  formatRecord,
  messagesPlaceholder,
  requestSummary,
  type SummaryRequestOptions,
} from './request-summary.ts';
import { ContextWindow, type ContextWindowOptions, windowExpectations } from './window/context-window.ts';
import { countMessageTokens } from './window/count-tokens.ts';
import { findSummaryRange } from './window/summary-range.ts';

/** Options of `createContextCompressor`. Each summary is a separate request. */
export interface ContextCompressorOptions
  extends Pick<SummaryRequestOptions, 'model' | 'maxRetries' | 'timeoutMs' | 'providerOptions' | 'logger'>,
    Omit<ContextWindowOptions, 'logger'> {
  /** Messages at the end that are not summarized, as far as they fit a quarter of the window. Default 5. */
  readonly keepRecentMessages?: number | undefined;
  /** Prompt of the summary, with `{messages}` for the messages. Default a prompt in English. */
  readonly summaryPrompt?: string | undefined;
}

/** Share of the window for the summary: 40 percent of what is at most 70 percent of the window. */
const answerShare = 0.28;
/** Growth of the context, as a share of the window, after which a failed summary is requested again. */
const retryShare = 0.05;
/** Share of the window for the recent messages that stay. */
const recentShare = 0.25;
/** Share of the window that the summarized messages must fill. */
const worthShare = 0.1;

const expectations: ExpectationsOf<ContextCompressorOptions> = {
  ...windowExpectations,
  model: expectModel,
  maxRetries: expectNumber(0, { isWhole: true }),
  timeoutMs: expectNumber(0),
  providerOptions: expected.object,
  keepRecentMessages: expectNumber(0),
  summaryPrompt: {
    isMet: (value) => typeof value === 'string' && value.includes(messagesPlaceholder),
    text: `a text with ${messagesPlaceholder} where the messages go`,
  },
};

/**
 * Replaces the older part of a context by a summary once the context fills its share of the window in tokens, however few
 * messages there are. The newest message of a trusted user stays. Create one for each run: it holds the window of the run.
 * A summary that fails changes nothing.
 * @throws {TypeError} that names an option which is missing, unknown or invalid
 *
 * @example
 * const compressor = createContextCompressor({ model, contextLength: 32_000 });
 * await runTask({ model, tools, journal, openConversation, compressor });
 */
export function createContextCompressor(
  options: ContextCompressorOptions,
): ContextCompressor & { readonly window: ContextWindow } {
  checkOptions('ContextCompressorOptions', options, expectations, ['model', 'contextLength']);
  const { keepRecentMessages = 5, summaryPrompt = defaultSummaryPrompt, logger = null } = options;
  const { contextLength, compressionThreshold, countTokens } = options;
  const window = new ContextWindow({ contextLength, compressionThreshold, countTokens, logger });
  const { model, maxRetries, timeoutMs, providerOptions } = options;
  const request = { model, maxRetries, timeoutMs, providerOptions, logger };
  let failedAt: number | null = null;

  function toPrompt(messages: readonly ModelMessage[], maxTokens: number): string {
    const room = maxTokens - window.count(summaryPrompt);
    const record = fitRecord(messages.map(formatRecord), { maxTokens: room, countTokens: window.count });
    return summaryPrompt.split(messagesPlaceholder).join(record);
  }

  async function compress(context: CompressibleContext): ReturnType<ContextCompressor['compress']> {
    const { messages, seqs, instructions, toolTokens = 0, delivering = [], onWastedCall, signal } = context;
    const deliveries = new Set(delivering);
    const items = messages.map((message, index) => {
      const seq = seqs[index] ?? 0;
      return { seq, message, answers: false, delivers: deliveries.has(seq) };
    });
    const { tokens, sizes } = window.measure({ instructions, items, toolTokens });
    const isRetry = failedAt !== null && tokens <= failedAt + window.toTokens(retryShare);
    if (tokens <= window.threshold || isRetry) return null;
    const range = findSummaryRange(items, {
      sizes,
      keepRecent: keepRecentMessages,
      maxRecentTokens: window.toTokens(recentShare),
    });
    if (range === null || range.tokens < window.toTokens(worthShare)) return null;

    const { start, end } = range;
    const [startSeq, endSeq] = [seqs[start] ?? 0, seqs[end - 1] ?? 0];
    const older = messages.slice(start, end);
    failedAt = tokens;
    const answer = await requestSummary(({ maxTokens }) => toPrompt(older, maxTokens), {
      ...request,
      ...{ window, answerShare, signal },
    });
    if (answer === null) return null;
    const summarized: ModelMessage = { role: 'assistant', content: answer.text };
    if (answer.text === '' || countMessageTokens(summarized, window.count) >= range.tokens) {
      onWastedCall(answer.usage);
      logger?.warn({ chars: answer.text.length }, 'discarded unusable summary; keeping context');
      return null;
    }
    failedAt = null;
    const summary = { startSeq, endSeq, text: answer.text, usage: answer.usage };
    return { messages: [...messages.slice(0, start), summarized, ...messages.slice(end)], summary };
  }

  return { window, compress };
}
