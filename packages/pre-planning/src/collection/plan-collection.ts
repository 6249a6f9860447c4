import type { JSONSchema7 } from 'ai';
import { z } from 'zod';
import type { AnswerSource } from '../answers/answer-source.ts';
import { type PromptOptions, toWrittenQuestion } from '../answers/prompt-options.ts';
import { phaseTexts } from '../texts.ts';
import {
  type InformationNeed,
  type InformationNeeds,
  informationNeedsSchema,
  makeFailedPlan,
  type WrittenNeeds,
} from './information-needs.ts';
import { makeNeedsPrompt, type NeedsMaterial } from './needs-prompt.ts';

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
    ...toWrittenQuestion((options) => makeNeedsPrompt(material, options), prompt),
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

/** A plan that can be worked through, and how much of what the model wrote is not in it. */
interface NormalizedNeeds {
  readonly needs: InformationNeeds;
  /** Items over the limit, and items that could not be read. */
  readonly omitted: number;
}

export interface NormalizeOptions {
  readonly maxItems: number;
  /** The reason of a plan that needs nothing and does not say why. */
  readonly noNeeds: string;
}

/**
 * Makes ids unique and safe, and the order complete: unknown and repeated ids in it are ignored, missing ones are
 * appended. The first items of the order stay where there are too many. @see decision E12
 */
export function normalizeNeeds(
  written: WrittenNeeds,
  { maxItems, noNeeds }: NormalizeOptions,
): NormalizedNeeds {
  const { items, idsByWritten } = nameItems(written.skip_collection ? [] : written.required_information);
  const wanted = written.collection_order.flatMap((id) => idsByWritten.get(id) ?? []);
  const order = [...new Set([...wanted, ...items.map(({ id }) => id)])].slice(0, maxItems);
  const kept = new Set(order);
  return {
    needs: {
      required_information: items.filter(({ id }) => kept.has(id)),
      collection_order: order,
      skip_collection: order.length === 0,
      skip_reason: order.length > 0 ? '' : written.skip_reason || noNeeds,
    },
    omitted: items.length - order.length + (written.skip_collection ? 0 : written.left_out),
  };
}

function nameItems(written: WrittenNeeds['required_information']) {
  const items: InformationNeed[] = [];
  const makeUnique = createNamer();
  const idsByWritten = new Map<string, string>();
  for (const [index, item] of written.entries()) {
    const id = makeUnique(toSafeId(item.id) || `info_${index + 1}`);
    if (!idsByWritten.has(item.id)) idsByWritten.set(item.id, id);
    items.push({ ...item, id, default_assumption: item.default_assumption || null });
  }
  return { items, idsByWritten };
}

/** Ids name files and keys of objects. */
function toSafeId(written: string): string {
  const id = written.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 56);
  if (!/[A-Za-z0-9]/.test(id)) return '';
  // Objects put keys that are numbers before all others, whatever the order of the plan.
  if (/^\d+$/.test(id)) return `info_${id}`;
  return /^[A-Za-z0-9]/.test(id) ? id : `info${id}`.slice(0, 56);
}

/** Appends numbers to names that were given before; it remembers the last number, or many equal names would take long. */
function createNamer(): (id: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (id) => {
    let name = id;
    for (let count = counts.get(id) ?? 1; taken.has(name); ) {
      count += 1;
      counts.set(id, count);
      name = `${id}_${count}`;
    }
    taken.add(name);
    return name;
  };
}
