import type { EngineTool, JsonSchema } from './engine.ts';

const kept = new Set([
  ...['type', 'enum', 'const', 'properties', 'items', 'prefixItems', 'minItems', 'maxItems', 'oneOf'],
  ...['additionalProperties', 'minProperties', 'maxProperties', 'minLength', 'maxLength', '$ref', '$defs'],
]);

/**
 * Converts a JSON schema to the part that grammars of llama.cpp support: what only checks values, such as `pattern` or `minimum`, is
 * left out, and `anyOf` becomes `oneOf`.
 */
export function toGrammarSchema(schema: JsonSchema): JsonSchema {
  const { anyOf, allOf, definitions, ...others } = schema;
  const entries = Object.entries({
    ...others,
    ...(anyOf === undefined ? {} : { oneOf: anyOf }),
    ...(definitions === undefined ? {} : { $defs: definitions }),
    ...(Array.isArray(allOf) && isSchema(allOf[0]) ? allOf[0] : {}),
  });
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (kept.has(key) ? [[key, convert(key, value)]] : [])),
  );
}

function convert(key: string, value: unknown): unknown {
  if (key === 'properties' || key === '$defs') {
    return Object.fromEntries(
      Object.entries(value as JsonSchema).map(([name, one]) => [name, convert('items', one)]),
    );
  }
  if (key === 'oneOf' || key === 'prefixItems')
    return (value as readonly unknown[]).map((one) => convert('items', one));
  return isSchema(value) ? toGrammarSchema(value) : value;
}

/** Schema of an answer that is one call of one of these tools: `{"name": …, "arguments": …}`. */
export function toCallSchema(tools: readonly EngineTool[]): JsonSchema {
  return {
    oneOf: tools.map(({ name, parameters }) => ({
      type: 'object',
      properties: { name: { const: name }, arguments: toGrammarSchema(parameters ?? { type: 'object' }) },
    })),
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
