import type { JSONSchema7 } from 'ai';
import { z } from 'zod';
import type { AnswerSource } from '../answers/answer-source.ts';
import { makeNeedsPrompt, type NeedsMaterial } from '../prompts/needs-prompt.ts';
import type { PromptOptions } from '../prompts/prompt-options.ts';
import { phaseTexts } from '../texts.ts';
import { informationNeedsSchema, makeFailedPlan } from './information-needs.ts';
import { type NormalizedNeeds, normalizeNeeds } from './normalize-needs.ts';

interface CollectionPlanning {
  readonly source: AnswerSource;
  readonly prompt: PromptOptions;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks for the plan of collecting; where no answer can be read, nothing is collected, with that as the reason.
 * @see decision E13
 */
export async function planCollection(
  material: NeedsMaterial,
  { source, prompt, signal }: CollectionPlanning,
): Promise<NormalizedNeeds> {
  const reply = await source.ask({
    ...makeNeedsPrompt(material, prompt),
    name: 'information_planning',
    format: needsFormat,
    schema: informationNeedsSchema,
    signal,
  });
  if (reply.status !== 'answered') return { needs: makeFailedPlan(prompt.locale), omitted: 0 };
  return normalizeNeeds(reply.answer.information_needs, {
    maxItems: material.maxItems,
    noNeeds: phaseTexts[prompt.locale].plan.noNeeds,
  });
}

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
const needsFormat = z.toJSONSchema(format, { target: 'draft-7' }) as JSONSchema7;
