import type { Logger } from '@agent/text';
import type { LanguageModel } from 'ai';
import type { ProviderOptions } from './run-options.ts';

/** Options of `createContextCompressor`. */
export interface ContextCompressorOptions {
  /** Writes the summaries, in requests of their own. */
  readonly model: LanguageModel;
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
  /** Further attempts of one request after the first. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one request may take. Default 600,000. */
  readonly timeoutMs?: number | undefined;
  /** Default `{ openai: { store: false } }`: the model's server keeps nothing of the conversation. */
  readonly providerOptions?: ProviderOptions | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}
