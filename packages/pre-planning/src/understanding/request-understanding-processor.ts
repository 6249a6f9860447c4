import type { AnswerSource } from '../answers/answer-source.ts';
import type { CallOptions } from '../ports.ts';
import type { PrePlanningRequest } from '../pre-planning-request.ts';
import { type PromptOptions, toPromptOptions } from '../prompts/prompt-options.ts';
import { makeUnderstandingPrompt } from '../prompts/understanding-prompt.ts';
import { isUnderstandingSufficient, makeMinimalUnderstanding } from './judge-understanding.ts';
import { type RequestUnderstanding, understandingSchema } from './understanding.ts';
import { understandingFormat } from './understanding-format.ts';

/** How requests are analysed. */
export interface UnderstandingOptions extends Partial<PromptOptions> {
  /** From here on an understanding suffices, inclusive; default 0.7. */
  readonly confidenceThreshold?: number;
}

/** What was understood. `isMinimal`: no answer could be read; title and nothing else stand for it. */
export interface AnalyzedRequest {
  readonly understanding: RequestUnderstanding;
  readonly isMinimal: boolean;
}

/** Without a goal nothing was understood, or the answer broke off before it: that is asked again. */
const answerWithGoal = understandingSchema.refine(
  ({ request_understanding: { primary_goal: goal } }) => goal !== '',
  { path: ['request_understanding', 'primary_goal'], message: 'is empty' },
);

/** Finds out what is being asked. @see seed 004 §10.2.2 */
export class RequestUnderstandingProcessor {
  readonly #source: AnswerSource;
  readonly #prompt: PromptOptions;
  readonly #threshold: number;

  constructor(source: AnswerSource, options: UnderstandingOptions = {}) {
    this.#source = source;
    this.#prompt = toPromptOptions(options);
    this.#threshold = options.confidenceThreshold ?? 0.7;
  }

  /**
   * Asks the model, and again where its answer can't be read; at last a minimal understanding stands for it.
   * @throws PrePlanningError when the model could not be asked
   */
  async analyzeRequest(request: PrePlanningRequest, { signal }: CallOptions = {}): Promise<AnalyzedRequest> {
    const reply = await this.#source.ask({
      ...makeUnderstandingPrompt(request, this.#prompt),
      name: 'request_understanding',
      format: understandingFormat,
      schema: answerWithGoal,
      signal,
    });
    return reply.status === 'answered'
      ? { understanding: reply.answer.request_understanding, isMinimal: false }
      : { understanding: makeMinimalUnderstanding(request), isMinimal: true };
  }

  /** Whether it suffices; where it does not, planning goes on all the same. @see seed 004 §3.5 */
  checkUnderstandingConfidence(understanding: RequestUnderstanding): boolean {
    return isUnderstandingSufficient(understanding, this.#threshold);
  }
}
