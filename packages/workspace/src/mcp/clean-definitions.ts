import { createHash } from 'node:crypto';
import { cleanUntrustedText, removeEnvelopeLines } from '@agent/text';
import type { ListToolsResult } from '@ai-sdk/mcp';

type Definition = ListToolsResult['tools'][number];

/** Longest description of a tool, and of a part of its schema, in UTF-16 units. */
const maxChars = { tool: 4_096, part: 1_024 };
/** Longest schema as JSON. */
const maxSchemaChars = 65_536;

/**
 * Cleans what a server says about its tools: descriptions and titles lose hidden text and are cut. Tools whose schema is longer than 65,536
 * characters, or hides text in names or values, which cannot be changed, are left out.
 */
export function cleanDefinitions({ tools }: ListToolsResult): {
  readonly definitions: ListToolsResult;
  readonly refused: readonly string[];
} {
  const isUsable = ({ inputSchema }: Definition) =>
    JSON.stringify(inputSchema).length <= maxSchemaChars && !hidesText(inputSchema);
  return {
    definitions: { tools: tools.filter(isUsable).map(cleanDefinition) },
    refused: tools.filter((tool) => !isUsable(tool)).map(({ name }) => name),
  };
}

function cleanDefinition(definition: Definition): Definition {
  const { name, title, description, inputSchema } = definition;
  const shown = description ?? title ?? name;
  return {
    ...definition,
    title: title === undefined ? undefined : clean(title, maxChars.part),
    description: clean(shown, maxChars.tool),
    inputSchema: cleanSchema(inputSchema) as Definition['inputSchema'],
  };
}

const clean = (text: string, limit: number) =>
  removeEnvelopeLines(cleanUntrustedText(text, { maxChars: limit }).text);

const isDescriptive = (key: string, value: unknown): value is string =>
  /^(?:title|description|\$comment|markdownDescription)$/.test(key) && typeof value === 'string';

/** In a schema a property can be named `description`: its value is an object then. */
function cleanSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanSchema);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      isDescriptive(key, part) ? clean(part, maxChars.part) : cleanSchema(part),
    ]),
  );
}

function hidesText(value: unknown): boolean {
  if (typeof value === 'string') return cleanUntrustedText(value).text !== value;
  if (Array.isArray(value)) return value.some(hidesText);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, part]) => hidesText(key) || (!isDescriptive(key, part) && hidesText(part)),
  );
}

/** SHA-256 of name, description, schema and annotations of each tool, as its server sent them, in any order of keys. */
export function fingerprintTools({ tools }: ListToolsResult): ReadonlyMap<string, string> {
  return new Map(
    tools.map(({ name, title, description, inputSchema, annotations }) => {
      const parts = JSON.stringify(sortKeys([name, title, description, inputSchema, annotations]));
      return [name, createHash('sha256').update(parts).digest('hex')] as const;
    }),
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, sortKeys(part)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
