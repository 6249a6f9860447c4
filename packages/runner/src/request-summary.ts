import type { Logger } from '@agent/text';
import { generateText, type LanguageModel } from 'ai';
import { classifyModelError } from './classify-model-error.ts';
import type { TokenUsage } from './model.ts';
import { withoutThinking } from './model-text.ts';
import type { CallOptions } from './ports.ts';
import type { ProviderOptions } from './run-options.ts';

/** A summary by a model, and what it cost. */
export interface SummaryAnswer {
  /** Empty when the answer is of no use, as one that was cut off. */
  readonly text: string;
  readonly usage: TokenUsage;
}

/** Options of a request for a summary. */
export interface SummaryRequestOptions extends CallOptions {
  /** Writes the summary. */
  readonly model: LanguageModel;
  /** The system's prompt. Default none. */
  readonly instructions?: string | undefined;
  /** Further attempts of one request after the first. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one attempt may take. Default 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that all attempts together may take. Default: as long as it takes. */
  readonly totalTimeoutMs?: number | undefined;
  /** Default `{ openai: { store: false } }`: the model's server keeps nothing of the conversation. */
  readonly providerOptions?: ProviderOptions | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * Asks for a summary in a request of its own, which no conversation knows of; null when there was no answer, which
 * the log tells.
 */
export async function requestSummary(
  prompt: string,
  options: SummaryRequestOptions,
): Promise<SummaryAnswer | null> {
  const { model, instructions, maxRetries = 2, timeoutMs = 600_000, totalTimeoutMs, signal } = options;
  const { providerOptions = { openai: { store: false } }, logger } = options;
  try {
    const { text, usage, finishReason } = await generateText({
      model,
      prompt,
      ...(instructions === undefined ? {} : { instructions }),
      maxRetries,
      timeout: {
        stepMs: timeoutMs,
        ...(totalTimeoutMs === undefined ? {} : { totalMs: totalTimeoutMs }),
      },
      providerOptions,
      ...(signal === undefined ? {} : { abortSignal: signal }),
    });
    const { inputTokens = 0, outputTokens = 0 } = usage;
    // What a summary that was cut off leaves out is what was to be done next.
    return {
      text: finishReason === 'length' ? '' : withoutThinking(text),
      usage: { inputTokens, outputTokens },
    };
  } catch (error) {
    if (signal?.aborted) return null;
    const { kind, status } = classifyModelError(error);
    logger?.warn({ kind, status }, 'no summary could be had');
    return null;
  }
}
