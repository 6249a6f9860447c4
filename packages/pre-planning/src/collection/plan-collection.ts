import type { Locale } from '@agent/text';
import type { AnswerSource } from '../answers/answer-source.ts';
import { makeNeedsPrompt, type NeedsMaterial } from '../prompts/needs-prompt.ts';
import type { PromptOptions } from '../prompts/prompt-options.ts';
import { makeFailedPlan } from './failed-plan.ts';
import { informationNeedsSchema } from './information-needs.ts';
import { needsFormat } from './needs-format.ts';
import { type NormalizedNeeds, normalizeNeeds } from './normalize-needs.ts';

/** The reason of a plan that needs nothing where the model gave none. */
const noNeeds: Readonly<Record<Locale, string>> = {
  ja: '追加で必要な情報はありません',
  en: 'nothing more has to be known',
};

export interface CollectionPlanning {
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
    noNeeds: noNeeds[prompt.locale],
  });
}
