import { z } from 'zod';

const text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value).trim()));

/** Models write one item where a list is asked for, and null where it is empty. */
const texts = z
  .union([z.array(text), text.transform((value) => [value])])
  .transform((items) => items.filter((item) => item !== ''));

/** From 0 to 1, whether written as a number, as its text or as a percentage. */
const confidence = z
  .unknown()
  .optional()
  .transform((value) => Math.min(1, Math.max(0, toNumber(value))));

const ambiguity = z.object({
  item: text,
  possible_interpretations: texts,
  selected_interpretation: text,
  reasoning: text,
});

const scope = z
  .object({ in_scope: texts, out_of_scope: texts })
  .nullish()
  .transform((value) => value ?? { in_scope: [], out_of_scope: [] });

const understanding = z.object({
  task_type: text,
  primary_goal: text,
  expected_deliverables: texts,
  constraints: texts,
  scope,
  understanding_confidence: confidence,
  ambiguities: z
    .array(ambiguity)
    .nullish()
    .transform((value) => value ?? []),
});

/**
 * A model's answer to "what is being asked?". Lenient where models are sloppy: missing texts become empty,
 * missing lists become empty lists, a confidence that is missing or no number becomes 0 and one out of range is
 * brought into 0 … 1. What is not such an answer at all is refused.
 *
 * @see seed 004 §3.4
 */
export const understandingSchema = z.object({
  phase: z.literal('request_understanding').default('request_understanding'),
  request_understanding: understanding,
});

/** What is being asked, as far as it was understood. */
export type RequestUnderstanding = z.infer<typeof understanding>;
/** The whole answer of the understanding phase, as `understandingSchema` gives it back. */
export type UnderstandingAnswer = z.infer<typeof understandingSchema>;

function toNumber(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0;
  const [, digits, percent] =
    /^\s*(-?\d*\.?\d+)\s*(%?)\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  return digits === undefined ? 0 : Number(digits) / (percent === '%' ? 100 : 1);
}
