import type { AnswerSource } from '../answers/answer-source.ts';
import { makeNeedsPrompt, type NeedsMaterial } from '../prompts/needs-prompt.ts';
import type { PromptOptions } from '../prompts/prompt-options.ts';
import { informationNeedsSchema } from './information-needs.ts';
import { needsFormat } from './needs-format.ts';
import { type NormalisedNeeds, normaliseNeeds } from './normalise-needs.ts';

/** What plans of collecting say where the model gave no reason. */
const planTexts = {
  ja: { failed: '計画生成失敗', noNeeds: '追加で必要な情報はありません' },
  en: { failed: 'planning the collection failed', noNeeds: 'nothing more has to be known' },
} as const;

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
): Promise<NormalisedNeeds> {
  const texts = planTexts[prompt.locale];
  const reply = await source.ask({
    ...makeNeedsPrompt(material, prompt),
    name: 'information_planning',
    format: needsFormat,
    schema: informationNeedsSchema,
    signal,
  });
  if (reply.status === 'answered') {
    const { maxItems } = material;
    return normaliseNeeds(reply.answer.information_needs, { maxItems, noNeeds: texts.noNeeds });
  }
  const nothing = { required_information: [], collection_order: [], skip_collection: true };
  return { needs: { ...nothing, skip_reason: texts.failed }, omitted: 0 };
}
