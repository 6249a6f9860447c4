import type { ReadingWay } from '@agent/text/json';
import { type Expectation, expectPort } from '@agent/text/options';
import type { generateText, JSONSchema7 } from 'ai';
import type { z } from 'zod';

/**
 * A way to be given JSON by a model, the most reliable first: a schema for the answer (Responses `text.format`), the
 * same on the chat endpoint (`response_format`), the arguments of a tool, plain text.
 */
export type OutputMode = 'format' | 'chat-format' | 'tool' | 'text';

/** One answer of the model, and what it cost; 0 where the endpoint did not say. */
export interface CallReport {
  readonly mode: OutputMode;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** All that the SDK tells of it, such as kinds of tokens; default nothing more. */
  readonly reported?:
    | Pick<Awaited<ReturnType<typeof generateText>>, 'usage' | 'providerMetadata'>
    | undefined;
}

/** Something that is asked apart from a run's conversation, and the form of its answer. */
export interface Question<Answer> {
  /** Names the form to the endpoint; letters and underscores. */
  readonly name: string;
  readonly instructions: string;
  /** Writes the text, with at most so many characters of what others wrote. Called again if it is too long for the model. */
  readonly write: (room: { readonly maxChars: number }) => string;
  /** The form as the endpoint is told. */
  readonly format: JSONSchema7;
  /** Reads what comes back, which may be sloppier than what was asked for. */
  readonly schema: z.ZodType<Answer>;
  /** Told of each answer of the model to this question, whether it can be read or not. */
  readonly onCall?: ((call: CallReport) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a question. `calls` counts the answers of the model, refusals of the endpoint left aside. */
export type Reply<Answer> =
  | {
      readonly status: 'answered';
      readonly answer: Answer;
      readonly mode: OutputMode;
      readonly way: ReadingWay;
      readonly calls: number;
    }
  | { readonly status: 'unreadable'; readonly problem: string; readonly calls: number };

/**
 * Asks a model for an answer in a form. An answer that can't be read is a value; not being able to ask rejects with
 * a `PrePlanningError`, or with the signal's reason.
 */
export interface AnswerSource {
  readonly ask: <Answer>(question: Question<Answer>) => Promise<Reply<Answer>>;
}

/** A source of answers, as `createStructuredOutput` returns it. */
export const expectSource: Expectation = {
  ...expectPort('ask'),
  text: 'a source that createStructuredOutput returns',
};
