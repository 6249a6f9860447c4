import type { CollectionResult } from '../collection/collected-information.ts';
import type { InformationNeed } from '../collection/information-needs.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';
import { fitStart } from './fit-start.ts';
import { formatMaterialRule, languages, madeBy, type PromptOptions } from './prompt-options.ts';
import type { Prompt } from './understanding-prompt.ts';

export interface AssumptionMaterial {
  readonly need: InformationNeed;
  /** Why it could not be collected. */
  readonly reason: string;
  readonly understanding: RequestUnderstanding;
  /** What was collected, of the same category first. */
  readonly collected: readonly CollectionResult[];
}

/** Asks for one assumption. @see seed 004 §6.3.1 */
export function makeAssumptionPrompt(material: AssumptionMaterial, options: PromptOptions): Prompt {
  const { need, reason, understanding, collected } = material;
  const { wrap, maxChars } = options;
  const known = fitStart(collected.map(describeResult).join('\n'), Math.floor(maxChars / 2));
  return {
    instructions: `You prepare the work of a coding agent. Something that should be known could not be found out. Say what is reasonable to assume, and how sure you are. ${formatMaterialRule(options)}`,
    text: `## Task
${wrap(`${understanding.primary_goal}\n${understanding.constraints.join('\n')}`.trim(), madeBy('understanding'))}

## What could not be found out
id: ${need.id}
${wrap(`${need.description}\nNeeded for: ${need.purpose}\nAlternative: ${need.fallback_strategy}`, madeBy('plan'))}
Why not: ${wrap(reason, madeBy('tool'))}
Default: ${need.default_assumption === null ? 'none' : wrap(need.default_assumption, madeBy('plan'))}

## What was found out
${known === '' ? 'nothing' : wrap(known, madeBy('tools'))}

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

function describeResult({ info_id: id, collected_data: data }: CollectionResult): string {
  return `- ${id}: ${data?.summary ?? ''}`;
}
