import type { Locale } from '@agent/text';
import {
  isNothing,
  lenientText,
  parseJson,
  parseLooseBoolean,
  toList,
  toRecord,
  toText,
} from '@agent/text/json';
import { z } from 'zod';
import { phaseTexts } from '../texts.ts';

/** Place where information is sought: the code, its context, outside. @see seed 004 §4.2 */
export type InformationCategory = 'codebase' | 'context' | 'external';

/** One thing that has to be known before planning, and how to find it out. @see seed 004 §4.4 */
export interface InformationNeed {
  /** Letters, digits, `_` and `-`, at most 64 of them: fit for the name of a file. */
  readonly id: string;
  readonly category: InformationCategory;
  readonly description: string;
  readonly purpose: string;
  readonly collection_method: {
    readonly tool: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  readonly fallback_strategy: string;
  readonly can_assume: boolean;
  readonly default_assumption: string | null;
}

/** The plan for collecting. @see seed 004 §4.4 */
export interface InformationNeeds {
  readonly required_information: readonly InformationNeed[];
  /** Ids of the above, each once, in the order of collecting. */
  readonly collection_order: readonly string[];
  readonly skip_collection: boolean;
  /** The reason why nothing is collected; empty when something is. */
  readonly skip_reason: string;
}

/** The plan before there is one. */
export const noNeeds: InformationNeeds = {
  required_information: [],
  collection_order: [],
  skip_collection: true,
  skip_reason: '',
};

/** A tool and what it is called with; models also name the tool alone, make a list of it, or take the words of calls. */
const method = z
  .unknown()
  .optional()
  .transform((value) => {
    const written = Array.isArray(value) ? value[0] : value;
    const record = toRecord(written);
    if (record === null) return { tool: toText(written), parameters: {} };
    return {
      tool: toText(record.tool ?? record.tool_name ?? record.name),
      parameters: toParameters(record.parameters ?? record.arguments ?? record.args),
    };
  });

function toParameters(value: unknown): Readonly<Record<string, unknown>> {
  return toRecord(typeof value === 'string' ? parseJson(value) : value) ?? {};
}

const need = z.object({
  id: lenientText,
  category: z.enum(['codebase', 'context', 'external']).catch('codebase'),
  description: lenientText,
  purpose: lenientText,
  collection_method: method,
  fallback_strategy: lenientText,
  // What could not be collected is assumed, unless the plan says otherwise (seed 004 §6.2).
  can_assume: parseLooseBoolean(true),
  default_assumption: lenientText,
});

/** Items beyond these are counted, but not looked at. */
const maxRead = 500;

const items = z
  .unknown()
  .optional()
  .transform((value) => {
    const written = listItems(value).filter((item) => typeof item !== 'string' || !isNothing(item));
    const read = written.slice(0, maxRead).flatMap((item) => readNeed(item) ?? []);
    return { read, leftOut: written.length - read.length };
  });

/** A list, one item alone, or items under their ids. */
function listItems(value: unknown): readonly unknown[] {
  const record = toRecord(value);
  if (record === null || 'description' in record || 'collection_method' in record) return toList(value);
  return Object.entries(record).map(([id, item]) => ({ id, ...(toRecord(item) ?? { description: item }) }));
}

/** Null for what says neither what is wanted nor how it is found out. */
function readNeed(value: unknown): z.infer<typeof need> | null {
  const record = typeof value === 'string' ? { description: value } : toRecord(value);
  if (record === null) return null;
  const read = need.parse(record);
  return read.description === '' && read.collection_method.tool === '' ? null : read;
}

/** Ids; models also write them as one text. */
const order = z
  .unknown()
  .optional()
  .transform((value) =>
    (typeof value === 'string' ? value.split(/,|、|->|→/) : toList(value))
      .map(toText)
      .filter((id) => id !== ''),
  );

const needs = z
  .object({
    required_information: items,
    collection_order: order,
    skip_collection: parseLooseBoolean(false),
    skip_reason: lenientText,
  })
  // That none of its items can be read does not mean that there are none.
  .refine(
    ({ required_information: { read, leftOut }, skip_collection: skips }) =>
      skips || read.length > 0 || leftOut === 0,
    {
      path: ['required_information'],
      message: 'no item has a description or a tool',
    },
  )
  .transform(({ required_information: { read, leftOut }, ...rest }) => ({
    ...rest,
    required_information: read,
    /** Items that are none, and those that were not looked at. */
    left_out: leftOut,
  }));

const phase = 'information_planning';

/**
 * A model's answer to "what has to be known?", as lenient as `understandingSchema`; what is left out is counted.
 * @see seed 004 §4.4
 */
export const informationNeedsSchema = z.preprocess(
  frame,
  z.object({
    phase: z
      .unknown()
      .optional()
      .transform((): typeof phase => phase),
    information_needs: needs,
  }),
);

/** The needs as a model wrote them: ids may be missing, repeated or fit for no file. */
export type WrittenNeeds = z.infer<typeof needs>;

function frame(value: unknown): unknown {
  const record = toRecord(value);
  if (record === null) return value;
  if ('required_information' in record || 'skip_collection' in record) return { information_needs: record };
  return Array.isArray(record.information_needs)
    ? { information_needs: { required_information: record.information_needs } }
    : value;
}

/** Stands for a plan that could not be read: nothing is collected. @see decision E13 */
export function makeFailedPlan(locale: Locale): InformationNeeds {
  return { ...noNeeds, skip_reason: phaseTexts[locale].plan.failed };
}

/** Tells whether nothing was collected because there was no plan, and not because nothing has to be known. */
export function isFailedPlan({ skip_collection: skips, skip_reason: reason }: InformationNeeds): boolean {
  return skips && Object.values(phaseTexts).some(({ plan }) => plan.failed === reason);
}
