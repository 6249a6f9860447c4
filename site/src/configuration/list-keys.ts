/** What the site reads of a JSON Schema, as zod writes it. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** A key of the configuration that has a value of its own. */
export interface ConfigKey {
  /** Names from the top, such as `['log', 'level']`; `NAME` stands where the name is the writer's own. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  /** True where the key above it cannot stand without this one. */
  readonly required: boolean;
}

/** Lists every key in the order of the schema: sections are gone through, lists and values are keys. */
export function listKeys(
  schema: JsonSchema,
  path: readonly string[] = [],
  required = false,
): readonly ConfigKey[] {
  const branches = listBranches(schema).filter(({ type }) => type !== 'null');
  const below = branches.flatMap((branch) => listBelow(branch, path));
  const isSection =
    branches.every(({ type }) => type === 'object') &&
    (below.length > 1 || branches.some(({ properties = {} }) => Object.keys(properties).length > 0));
  return isSection ? withoutTwins(below) : [{ path, schema, required }];
}

/** The alternatives of a schema, without those of which one is made of others. */
export function listBranches(schema: JsonSchema): readonly JsonSchema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives === undefined ? [schema] : alternatives.flatMap(listBranches);
}

function listBelow({ properties = {}, required, additionalProperties }: JsonSchema, path: readonly string[]) {
  const named = Object.entries(properties).flatMap(([name, schema]) =>
    listKeys(schema, [...path, name], required?.includes(name)),
  );
  return typeof additionalProperties === 'object'
    ? [...named, ...listKeys(additionalProperties, [...path, 'NAME'])]
    : named;
}

/** A key that several alternatives of its section have is one key. */
function withoutTwins(keys: readonly ConfigKey[]): readonly ConfigKey[] {
  return [...new Map(keys.toReversed().map((key) => [key.path.join('.'), key])).values()].toReversed();
}
