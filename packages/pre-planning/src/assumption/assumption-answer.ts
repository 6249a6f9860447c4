import type { JSONSchema7 } from 'ai';
import { z } from 'zod';
import { lenientConfidence, lenientText, toRecord } from '../json/lenient.ts';

/** A model's answer to "what is reasonable to assume?", read leniently. @see seed 004 §6.3.2 */
export const assumptionAnswerSchema = z.preprocess(
  frame,
  z.object({
    assumption: z.object({
      info_id: lenientText,
      assumed_value: z
        .unknown()
        .optional()
        .transform(
          (value) => lenientText.safeParse(value).data ?? JSON.stringify(value)?.slice(0, 2_000) ?? '',
        ),
      reasoning: lenientText,
      confidence: lenientConfidence,
      refuted_by: lenientText,
    }),
  }),
);

const format = z.object({
  assumption: z.object({
    info_id: z.string(),
    assumed_value: z.string(),
    reasoning: z.string(),
    confidence: z.number(),
    refuted_by: z.string(),
  }),
});

/** The form as endpoints are told it: the seed's, and what would show that the assumption is wrong. */
export const assumptionFormat = z.toJSONSchema(format, { target: 'draft-7' }) as JSONSchema7;

function frame(value: unknown): unknown {
  const record = toRecord(value);
  return record !== null && 'assumed_value' in record ? { assumption: record } : value;
}
