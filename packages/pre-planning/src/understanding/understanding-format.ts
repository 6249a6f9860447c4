import type { JSONSchema7 } from 'ai';
import { z } from 'zod';

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
