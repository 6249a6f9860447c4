import { z } from 'zod';
import { lenientConfidence, lenientText, lenientTexts, takeFirst, toRecord } from '../json/lenient.ts';

const maxAmbiguities = 50;

const ambiguity = z.object({
  item: lenientText,
  possible_interpretations: lenientTexts,
  selected_interpretation: lenientText,
  reasoning: lenientText,
});

const scope = z
  .object({ in_scope: lenientTexts, out_of_scope: lenientTexts })
  .nullish()
  .transform((value) => value ?? { in_scope: [], out_of_scope: [] });

const understanding = z.object({
  task_type: lenientText,
  primary_goal: lenientText,
  expected_deliverables: lenientTexts,
  constraints: lenientTexts,
  scope,
  understanding_confidence: lenientConfidence,
  ambiguities: z.preprocess(
    takeFirst(maxAmbiguities),
    z
      .array(ambiguity)
      .nullish()
      .transform((value) => value ?? []),
  ),
});

/**
 * A model's answer to "what is being asked?". Lenient where models are sloppy: missing texts become empty,
 * missing lists become empty lists, a confidence that is missing or no number becomes 0 and one out of range is
 * brought into 0 … 1; the items may stand without their frame. What is not such an answer at all is refused.
 *
 * @see seed 004 §3.4
 */
export const understandingSchema = z.preprocess(
  frame,
  z.object({
    phase: z.literal('request_understanding').default('request_understanding'),
    request_understanding: understanding,
  }),
);

/** What is being asked, as far as it was understood. */
export type RequestUnderstanding = z.infer<typeof understanding>;
/** The whole answer of the understanding phase, as `understandingSchema` gives it back. */
export type UnderstandingAnswer = z.infer<typeof understandingSchema>;

function frame(value: unknown): unknown {
  const record = toRecord(value);
  const isBare = record !== null && 'primary_goal' in record && 'task_type' in record;
  return isBare ? { request_understanding: record } : value;
}
