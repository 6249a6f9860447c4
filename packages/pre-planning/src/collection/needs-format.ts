import type { JSONSchema7 } from 'ai';
import { z } from 'zod';

const format = z.object({
  phase: z.literal('information_planning'),
  information_needs: z.object({
    required_information: z.array(
      z.object({
        id: z.string(),
        category: z.enum(['codebase', 'context', 'external']),
        description: z.string(),
        purpose: z.string(),
        collection_method: z.object({ tool: z.string(), parameters: z.looseObject({}) }),
        fallback_strategy: z.string(),
        can_assume: z.boolean(),
        default_assumption: z.string(),
      }),
    ),
    collection_order: z.array(z.string()),
    skip_collection: z.boolean(),
    skip_reason: z.string(),
  }),
});

/** The form of the answer, as endpoints are told it; `informationNeedsSchema` reads more. @see seed 004 §4.4 */
export const needsFormat = z.toJSONSchema(format, { target: 'draft-7' }) as JSONSchema7;
