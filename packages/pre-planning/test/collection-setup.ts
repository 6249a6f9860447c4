import { jsonSchema } from 'ai';
import type { CollectionTool } from '../src/collection/create-read-only-tools.ts';
import type { InformationNeed, InformationNeeds } from '../src/collection/information-needs.ts';

/** An item of a plan, as a model would write it. */
export function makeNeed(id: string, fields: Partial<InformationNeed> = {}): InformationNeed {
  return {
    id,
    category: 'codebase',
    description: `what ${id} is`,
    purpose: `to know ${id}`,
    collection_method: { tool: 'read', parameters: { path: id } },
    fallback_strategy: 'go without',
    can_assume: true,
    default_assumption: null,
    ...fields,
  };
}

export function makeNeeds(
  items: readonly InformationNeed[],
  order = items.map(({ id }) => id),
): InformationNeeds {
  return {
    required_information: items,
    collection_order: order,
    skip_collection: items.length === 0,
    skip_reason: '',
  };
}

const inputSchema = jsonSchema<{ path: string }>(
  { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  {
    validate: (value) =>
      typeof (value as { path?: unknown } | null)?.path === 'string'
        ? { success: true, value: value as { path: string } }
        : { success: false, error: new Error('path must be a string') },
  },
);

/** A tool that reads a path, in the way that it is told. */
export function makeTool(
  execute: (path: string, options: { readonly signal: AbortSignal }) => unknown,
  readOnly = true,
): CollectionTool {
  return {
    description: 'Reads a file.',
    inputSchema,
    readOnly,
    execute: (({ path }: { path: string }, options: { signal: AbortSignal }) =>
      execute(path, options)) as never,
  };
}
