import { lenientConfidence, lenientText, toRecord } from '@agent/text/json';
import type { JSONSchema7 } from 'ai';
import { z } from 'zod';
import {
  fitWrapped,
  formatMaterialRule,
  languages,
  madeBy,
  type Prompt,
  type PromptOptions,
} from '../answers/prompt-options.ts';
import type { CollectionResult } from '../collection/collected-information.ts';
import type { InformationNeed } from '../collection/information-needs.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';

export interface AssumptionMaterial {
  readonly need: InformationNeed;
  /** The reason why it could not be collected. */
  readonly reason: string;
  readonly understanding: RequestUnderstanding;
  /** Results of collecting, of the same category first. */
  readonly collected: readonly CollectionResult[];
}

/** Asks for one assumption. @see seed 004 §6.3.1 */
export function makeAssumptionPrompt(material: AssumptionMaterial, options: PromptOptions): Prompt {
  const { need } = material;
  const { task, plan, why, byDefault, known } = formatMaterial(material, options);
  return {
    instructions: `You prepare the work of a coding agent. Something that should be known could not be found out. Say what is reasonable to assume, and how sure you are. ${formatMaterialRule(options)}`,
    text: `## Task
${task}

## What could not be found out
id: ${need.id}
${plan}
${why}
${byDefault}

## What was found out
${known}

## How to assume
Take what was found out, common patterns and best practice. Confidence is 0 to 1; below 0.5 the assumption is not used. Never assume security settings, credentials (API keys, passwords, tokens), database connections, settings of an environment or personal data: answer with an empty assumed_value and confidence 0 for them.

Write assumed_value, reasoning and refuted_by in ${languages[options.locale]}; keep keys, names and code as they are.

## Form of the answer
Answer with this one JSON object and nothing else; refuted_by says what would show that the assumption is wrong:
{
  "assumption": {
    "info_id": "${need.id}",
    "assumed_value": "…",
    "reasoning": "…",
    "confidence": 0.6,
    "refuted_by": "…"
  }
}`,
  };
}

/** Fits material into the room that there is: most of it for what was found out. */
function formatMaterial(
  { need, reason, understanding, collected }: AssumptionMaterial,
  { wrap, maxChars }: PromptOptions,
) {
  const fit = (text: string, what: string, share: number) =>
    fitWrapped(text, madeBy(what), { maxChars: Math.floor(maxChars * share), wrap }) ?? 'left out';
  const { description, purpose, fallback_strategy: alternative, default_assumption: byDefault } = need;
  return {
    task: fit(
      `${understanding.primary_goal}\n${understanding.constraints.join('\n')}`.trim(),
      'understanding',
      1 / 8,
    ),
    plan: fit(`${description}\nNeeded for: ${purpose}\nAlternative: ${alternative}`, 'plan', 1 / 4),
    why: fit(reason, 'why not', 1 / 8),
    byDefault: byDefault === null ? 'default: none' : fit(byDefault, 'default', 1 / 8),
    known: collected.length === 0 ? 'nothing' : fit(collected.map(describeResult).join('\n'), 'tools', 3 / 8),
  };
}

function describeResult({ info_id: id, collected_data: data }: CollectionResult): string {
  return `- ${id}: ${data?.summary ?? ''}`;
}

/** A model's answer to "what is reasonable to assume?", read leniently. @see seed 004 §6.3.2 */
export const assumptionAnswerSchema = z.preprocess(
  toFramed,
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

const answerForm = z.object({
  assumption: z.object({
    info_id: z.string(),
    assumed_value: z.string(),
    reasoning: z.string(),
    confidence: z.number(),
    refuted_by: z.string(),
  }),
});

/** The form as endpoints are told it: the seed's, and what would show that the assumption is wrong. */
export const assumptionFormat = z.toJSONSchema(answerForm, { target: 'draft-7' }) as JSONSchema7;

function toFramed(value: unknown): unknown {
  const record = toRecord(value);
  return record !== null && 'assumed_value' in record ? { assumption: record } : value;
}
