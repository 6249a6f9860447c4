import { configSchema } from '@agent/daemon/src/config/schema.ts';
import { z } from 'zod';
import type { JsonSchema } from './list-keys.ts';
import { namesKey, readSettings, type SettingsRow } from './read-settings.ts';

/** Values that stand for a section, which zod turns into one before it looks: a JSON Schema has no word for that. */
const SHORT_FORMS: ReadonlyMap<string, JsonSchema> = new Map([
  ['limits.max_cost', { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 }],
]);

/** Makes the JSON Schema of `agent.config.yaml`: types and defaults of the schema that the daemon reads it by, meanings of the table in its README. */
export function describeConfig(readme: string): JsonSchema {
  // As plain data: zod's own type has fields for all that a schema could be.
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return {
    ...describe(schema, [], readSettings(readme)),
    description: 'agent.config.yaml, as agent-daemon reads it',
  };
}

function describe(schema: JsonSchema, path: readonly string[], rows: readonly SettingsRow[]): JsonSchema {
  const row = path.length === 0 ? undefined : rows.find((candidate) => namesKey(candidate, path));
  const below = (branch: JsonSchema): JsonSchema => describeBelow(branch, path, rows);
  const { anyOf, oneOf } = schema;
  const description = row === undefined ? {} : { description: toPlain(row.meaning) };
  const short = SHORT_FORMS.get(path.join('.'));
  if (short !== undefined) return { ...description, anyOf: [short, below(schema)] };
  return {
    ...description,
    ...below(schema),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(below) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(below) }),
  };
}

function describeBelow(
  schema: JsonSchema,
  path: readonly string[],
  rows: readonly SettingsRow[],
): JsonSchema {
  const { pattern, ...others } = schema;
  const { properties, additionalProperties } = others;
  return {
    ...others,
    // Classes of letters mean something to some readers of JSON Schemas alone.
    ...(pattern === undefined || pattern.includes('\\p{') ? {} : { pattern }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, describe(value, [...path, name], rows)]),
          ),
        }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: describe(additionalProperties, [...path, 'NAME'], rows) }
      : {}),
  };
}

/** Markdown as an editor shows it beside a key: links are their words. */
function toPlain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}
