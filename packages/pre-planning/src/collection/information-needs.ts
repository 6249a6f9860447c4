import { z } from 'zod';
import { lenientBoolean, lenientText, lenientTexts, toRecord } from '../json/lenient.ts';

/** Where information is looked for: in the code, in its context, outside. @see seed 004 §4.2 */
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
  /** Why nothing is collected; empty when something is. */
  readonly skip_reason: string;
}

const parameters = z
  .unknown()
  .optional()
  .transform((value) => toRecord(typeof value === 'string' ? parse(value) : value) ?? {});

const method = z
  .union([
    z.object({ tool: lenientText, parameters }),
    lenientText.transform((tool) => ({ tool, parameters: {} })),
  ])
  .optional()
  .transform((value) => value ?? { tool: '', parameters: {} });

const need = z.object({
  id: lenientText,
  category: z.enum(['codebase', 'context', 'external']).catch('codebase'),
  description: lenientText,
  purpose: lenientText,
  collection_method: method,
  fallback_strategy: lenientText,
  can_assume: lenientBoolean(true),
  default_assumption: lenientText,
});

/** Items beyond these are counted, but not looked at. */
const maxRead = 500;

const needs = z.preprocess(
  takeFirstItems,
  z.object({
    required_information: z
      .array(z.unknown())
      .nullish()
      .transform((items) => (items ?? []).flatMap((item) => need.safeParse(item).data ?? [])),
    /** Items that were not looked at, where there are any. */
    unread: z.number().optional(),
    collection_order: z
      .array(z.unknown())
      .catch([])
      .transform((ids) => lenientTexts.safeParse(ids).data ?? []),
    skip_collection: lenientBoolean(false),
    skip_reason: lenientText,
  }),
);

function takeFirstItems(value: unknown): unknown {
  const written = toRecord(value);
  const items = written?.required_information;
  if (!Array.isArray(items)) return written === null ? value : { ...written, unread: undefined };
  const unread = items.length > maxRead ? items.length - maxRead : undefined;
  return { ...written, required_information: items.slice(0, maxRead), unread };
}

/**
 * A model's answer to "what has to be known?", as lenient as `understandingSchema`: an item that is none is left out.
 * @see seed 004 §4.4
 */
export const informationNeedsSchema = z.preprocess(
  frame,
  z.object({
    phase: z.literal('information_planning').default('information_planning'),
    information_needs: needs,
  }),
);

/** The needs as a model wrote them: ids may be missing, repeated or fit for no file. */
export type WrittenNeeds = z.infer<typeof needs>;

function frame(value: unknown): unknown {
  const record = toRecord(value);
  const isBare = record !== null && ('required_information' in record || 'skip_collection' in record);
  return isBare ? { information_needs: record } : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
