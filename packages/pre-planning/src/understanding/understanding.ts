import {
  isNothing,
  lenientConfidence,
  lenientText,
  lenientTexts,
  toList,
  toRecord,
  toTexts,
} from '@agent/text/json';
import { z } from 'zod';
import type { PrePlanningRequest } from '../ports.ts';

const phase = 'request_understanding';
const maxAmbiguities = 50;

const ambiguity = z.object({
  item: lenientText,
  possible_interpretations: lenientTexts,
  selected_interpretation: lenientText,
  reasoning: lenientText,
});

/** A list of objects, or what models make of it: texts alone, one of them, a word for none. */
const ambiguities = z
  .unknown()
  .optional()
  .transform((value) =>
    toList(value)
      .slice(0, maxAmbiguities)
      .map((one) => ambiguity.parse(toRecord(one) ?? { item: one }))
      .filter(({ item, selected_interpretation: chosen }) => !isNothing(item) || !isNothing(chosen)),
  );

const bounds = z.object({ in_scope: lenientTexts, out_of_scope: lenientTexts });

/** Both bounds, or only what belongs to it. */
const scope = z
  .unknown()
  .optional()
  .transform((value) => {
    const record = toRecord(value);
    const isBounds = record !== null && ('in_scope' in record || 'out_of_scope' in record);
    return isBounds ? bounds.parse(record) : { in_scope: [...toTexts(value)], out_of_scope: [] };
  });

const understanding = z.object({
  task_type: lenientText,
  primary_goal: lenientText,
  expected_deliverables: lenientTexts,
  constraints: lenientTexts,
  scope,
  understanding_confidence: lenientConfidence,
  ambiguities,
});

/**
 * A model's answer to "what is being asked?". Lenient field by field: what is missing becomes empty text, an empty list or
 * a confidence of 0; lists and objects become texts where texts are asked for, texts become lists, and what is alone in
 * place of the scope is in it. The phase is not looked at, and the items may stand without their frame. What is not such an
 * answer at all is refused.
 *
 * @see seed 004 §3.4
 *
 * @example
 * understandingSchema.parse({ primary_goal: 'Fix the total', understanding_confidence: '80%' });
 * // { request_understanding: { primary_goal: 'Fix the total', understanding_confidence: 0.8, … } }
 */
export const understandingSchema = z.preprocess(
  frame,
  z.object({
    phase: z
      .unknown()
      .optional()
      .transform((): typeof phase => phase),
    request_understanding: understanding,
  }),
);

/** Request as far as it was understood. */
export type RequestUnderstanding = z.infer<typeof understanding>;
/** The whole answer of the understanding phase, as `understandingSchema` gives it back. */
export type UnderstandingAnswer = z.infer<typeof understandingSchema>;

function frame(value: unknown): unknown {
  const record = toRecord(value);
  return record !== null && 'primary_goal' in record ? { request_understanding: record } : value;
}

/** Sure enough, and both the kind of task and its goal are named. @see seed 004 §3.5, decision E2 */
export function isUnderstandingSufficient(understanding: RequestUnderstanding, threshold: number): boolean {
  const { task_type: kind, primary_goal: goal, understanding_confidence: confidence } = understanding;
  return confidence >= threshold && kind !== '' && goal !== '';
}

/** Words for a question, in the languages that task types are written in. */
const questionWords = /question|inquiry|enquiry|\bq\s*&\s*a\b|質問|問い合わせ|問合せ/i;

/** Tells whether the request is a question: of several kinds of task, the first counts. */
export function isQuestion({ task_type: kind }: Pick<RequestUnderstanding, 'task_type'>): boolean {
  const [first = ''] = kind.normalize('NFKC').split(/[,/|;・、+]|\band\b|\bor\b/i);
  return questionWords.test(first);
}

/** The kind of task where none was understood. */
export const unknownTaskType = 'unknown';

/** Makes the understanding that stands in where the model gave none: the title as the goal. @see seed 004 §11.1 */
export function makeMinimalUnderstanding({ title }: Pick<PrePlanningRequest, 'title'>): RequestUnderstanding {
  return {
    task_type: unknownTaskType,
    primary_goal: title.trim(),
    expected_deliverables: [],
    constraints: [],
    scope: { in_scope: [], out_of_scope: [] },
    understanding_confidence: 0,
    ambiguities: [],
  };
}
