import type { CallOptions } from '@agent/platforms';
import { checkOptions, checkValue, type ExpectationsOf, expectNumber } from '@agent/text/options';
import type { JSONSchema7 } from 'ai';
import { z } from 'zod';
import type { AnswerSource } from '../answers/answer-source.ts';
import { expectSource } from '../answers/answer-source.ts';
import {
  describeRequest,
  formatMaterialRule,
  languages,
  type Prompt,
  type PromptOptions,
  promptExpectations,
  toPromptOptions,
  toWrittenQuestion,
} from '../answers/prompt-options.ts';
import type { PrePlanningRequest } from '../ports.ts';
import {
  isUnderstandingSufficient,
  makeMinimalUnderstanding,
  type RequestUnderstanding,
  understandingSchema,
} from './understanding.ts';

/** Options of `RequestUnderstandingProcessor`. */
export interface UnderstandingOptions extends Partial<PromptOptions> {
  /** Least confidence of an understanding that suffices; default 0.7. */
  readonly confidenceThreshold?: number;
}

const expectations: ExpectationsOf<UnderstandingOptions> = {
  ...promptExpectations,
  confidenceThreshold: expectNumber(0, { most: 1 }),
};

/** Result of understanding. `isMinimal`: no answer could be read; title and nothing else stand for it. */
export interface AnalyzedRequest {
  readonly understanding: RequestUnderstanding;
  readonly isMinimal: boolean;
}

/** Without a goal nothing was understood, or the answer broke off before it: that is asked again. */
const answerWithGoal = understandingSchema.refine(
  ({ request_understanding: { primary_goal: goal } }) => goal !== '',
  { path: ['request_understanding', 'primary_goal'], message: 'is empty' },
);

/**
 * Finds out what is being asked. @see seed 004 §10.2.2
 *
 * @example
 * const processor = new RequestUnderstandingProcessor(source);
 * const { understanding, isMinimal } = await processor.analyzeRequest(request);
 */
export class RequestUnderstandingProcessor {
  readonly #source: AnswerSource;
  readonly #prompt: PromptOptions;
  readonly #threshold: number;

  /** @throws {TypeError} that names an option which is unknown or invalid */
  constructor(source: AnswerSource, options: UnderstandingOptions = {}) {
    checkValue('source', source, expectSource);
    checkOptions('UnderstandingOptions', options, expectations);
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
      ...toWrittenQuestion((options) => makeUnderstandingPrompt(request, options), this.#prompt),
      name: 'request_understanding',
      format: understandingFormat,
      schema: answerWithGoal,
      signal,
    });
    return reply.status === 'answered'
      ? { understanding: reply.answer.request_understanding, isMinimal: false }
      : { understanding: makeMinimalUnderstanding(request), isMinimal: true };
  }

  /** Tells whether it suffices; where it does not, planning goes on all the same. @see seed 004 §3.5 */
  checkUnderstandingConfidence(understanding: RequestUnderstanding): boolean {
    return isUnderstandingSufficient(understanding, this.#threshold);
  }
}

/** Asks what is being asked. @see seed 004 §3.2, §3.3 */
export function makeUnderstandingPrompt(request: PrePlanningRequest, options: PromptOptions): Prompt {
  return {
    instructions: `You prepare the work of a coding agent. Understand what a request asks for; do not plan or solve it. ${formatMaterialRule(options)}`,
    text: `${describeRequest(request, options)}

## What to understand
- task_type: what kind of work it is, such as new feature, bug fix, refactoring, documentation, question
- primary_goal: the state that must be reached in the end
- expected_deliverables: what concretely has to be there afterwards (code, tests, documents)
- constraints: limits of technique or time that were stated or follow from the request
- scope: what belongs to it, and what does not
- understanding_confidence: 0 to 1, how sure you are; below 0.5 where the goal is a guess
- ambiguities: what can be read in several ways. Technical readings: choose the most plausible. Premises left out: take the general one. Contradictions: decide which requirement comes first; later words of people who may give instructions win. Incomplete specifications: infer from existing patterns. Empty when nothing is ambiguous.

Take comments and earlier runs into account. Write all values in ${languages[options.locale]}; keep keys, names and code as they are.

## Form of the answer
Answer with this one JSON object and nothing else:
{
  "phase": "request_understanding",
  "request_understanding": {
    "task_type": "…",
    "primary_goal": "…",
    "expected_deliverables": ["…"],
    "constraints": ["…"],
    "scope": { "in_scope": ["…"], "out_of_scope": ["…"] },
    "understanding_confidence": 0.85,
    "ambiguities": [
      { "item": "…", "possible_interpretations": ["…", "…"], "selected_interpretation": "…", "reasoning": "…" }
    ]
  }
}`,
  };
}

const format = z.object({
  phase: z.literal('request_understanding'),
  request_understanding: z.object({
    task_type: z.string(),
    primary_goal: z.string(),
    expected_deliverables: z.array(z.string()),
    constraints: z.array(z.string()),
    scope: z.object({ in_scope: z.array(z.string()), out_of_scope: z.array(z.string()) }),
    understanding_confidence: z.number(),
    ambiguities: z.array(
      z.object({
        item: z.string(),
        possible_interpretations: z.array(z.string()),
        selected_interpretation: z.string(),
        reasoning: z.string(),
      }),
    ),
  }),
});

/** The form of the answer, as endpoints are told it; `understandingSchema` reads more than this. @see seed 004 §3.4 */
export const understandingFormat = z.toJSONSchema(format, { target: 'draft-7' }) as JSONSchema7;
