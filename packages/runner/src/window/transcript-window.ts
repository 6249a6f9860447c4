import { estimateTokens, type Fitted } from '@agent/text';
import { shorten } from './excerpt.ts';
import { type Refusal, WindowSize } from './window-size.ts';

/** Text of a conversation that fits the window of the model. Only a `TranscriptWindow` makes it. */
export interface FittedTranscript {
  readonly text: Fitted<string>;
  /** Tokens of the request as this side counts them. */
  readonly estimate: number;
}

/** Window of a model that is given a conversation as one text. */
export class TranscriptWindow {
  readonly #size: WindowSize;

  constructor(contextLength: number | undefined) {
    this.#size = new WindowSize({ contextLength, logger: null });
  }

  /** The newest part of a transcript, as far as it fits beside the instructions. */
  fit(
    transcript: string,
    { instructions = '' }: { readonly instructions?: string | undefined },
  ): FittedTranscript {
    const around = estimateTokens(instructions);
    const text = shorten(transcript, {
      maxTokens: Math.max(1, this.#size.room - around),
      count: estimateTokens,
      keep: 'end',
      note: ({ chars }) => `(${chars} characters before this are left out.)`,
    });
    return { text: text as Fitted<string>, estimate: around + estimateTokens(text) };
  }

  /** Learns from the endpoint's count of a request that it answered. */
  learn({ estimate }: FittedTranscript, inputTokens: number): void {
    this.#size.learn(estimate, inputTokens);
  }

  /** Learns from a refusal for length: the next transcript is shorter. */
  shrink({ estimate }: FittedTranscript, refusal: Refusal = {}): void {
    this.#size.shrink(estimate, refusal);
  }
}
