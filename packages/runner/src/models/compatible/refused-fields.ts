import { isRecord, type JsonRecord } from '@agent/text/json';

/** Change to requests that an endpoint asked for: a field is left out, or sent under another name. */
export interface FieldChange {
  readonly name: string;
  /** Null for a field that is left out. */
  readonly newName: string | null;
}

/** A request means nothing without these, or something else. */
const essential = new Set([
  ...[
    'model',
    'messages',
    'input',
    'instructions',
    'tools',
    'stream',
    'role',
    'content',
    'tool_calls',
    'tool_call_id',
  ],
  ...['type', 'id', 'function', 'name', 'description', 'parameters', 'arguments', 'text', 'image_url', 'url'],
  ...[
    'json_schema',
    'schema',
    'call_id',
    'output',
    'file',
    'properties',
    'items',
    'required',
    'enum',
    '$defs',
    '$ref',
  ],
]);

/** Words with which endpoints refuse a field, in contrast to its value. */
const refusalWords =
  /unsupported|(?:invalid|illegal|bad) (?:field|param\w{0,9}|argument|property|key|option)\b|(?:not|n't|no) (?:currently |be |a )?(?:support|accept|permit|allow|available|recogni[sz]ed|known|understood|set|specified|used|valid)|unrecogni[sz]ed|unknown|unexpected|unavailable|forbidden|extra (?:inputs?|fields?|propert)|additional propert|only \S{1,20} (?:is|are) (?:allowed|supported|valid)|only be set|cannot both|only allowed|should be 'none'|不支持|无效|未知|サポートされ|deprecated|use '\w{1,64}' instead/i;

/** Characters of an error that are read. */
const maxReadChars = 4_000;

/**
 * Finds the fields of a request that an endpoint refuses, by the words of its refusal: each field that was sent, may be left out,
 * and is named there.
 */
export function findRefusedFields(request: JsonRecord, refusal: unknown): readonly FieldChange[] {
  const text = collectTexts(refusal).join(' \n').slice(0, maxReadChars);
  if (!refusalWords.test(text)) return [];
  const names = new Set(listNames(request));
  const words = new Set(withoutExpected(text).match(/[\w-]+/g));
  const keywords = listKeywords(request).filter((name) => isQuotedIn(text, name));
  const refused = [...new Set([...names, ...keywords])].filter(
    (name) => !essential.has(name) && (words.has(name) || keywords.includes(name)),
  );
  const other = /\buse ['"`](\w{1,64})['"`] instead/i.exec(text)?.[1];
  return refused.map((name) => ({ name, newName: other === undefined || names.has(other) ? null : other }));
}

/** Fields that would have been right. */
const expectedList =
  /\b(?:expected one of|expected `|(?:valid|allowed|supported|available) (?:fields|parameters|values|options) are)/i;

function withoutExpected(text: string): string {
  const lines = text.split('\n').map((line) => {
    const at = line.search(expectedList);
    return at === -1 ? line : line.slice(0, at);
  });
  return lines.join('\n');
}

function isQuotedIn(text: string, name: string): boolean {
  return ['"', "'", '`'].some((quote) => text.includes(quote + name + quote));
}

/** Fields of errors that repeat what was sent, or what the model wrote. */
const repeated = new Set(['input', 'headers', 'failed_generation']);

/** Texts of an error, names of fields in it included. */
function collectTexts(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 6) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (repeated.has(key)) return [];
    // A list of complaints stands under the name of the field.
    const name = Array.isArray(item) && typeof item[0] === 'string' ? [key] : [];
    return [...name, ...collectTexts(item, depth + 1)];
  });
}

/** Names of the fields that a change can concern: those of the request, of its messages and calls, and of its tools. */
function listNames(request: JsonRecord): readonly string[] {
  return listParts(request).flatMap((part) => Object.keys(part).filter((key) => part[key] !== undefined));
}

function listParts(request: JsonRecord): readonly JsonRecord[] {
  const { messages, tools, response_format: format } = request;
  const list = (value: unknown): readonly JsonRecord[] =>
    Array.isArray(value) ? value.filter(isRecord) : [];
  const inMessages = list(messages).flatMap((message) => [message, ...list(message.tool_calls)]);
  const inTools = list(tools).flatMap((tool) => [tool, ...[tool.function].filter(isRecord)]);
  const inFormat = isRecord(format) ? [format.json_schema].filter(isRecord) : [];
  return [request, ...inMessages, ...inTools, ...inFormat];
}

/** Keywords of the schemas of tools. */
function listKeywords(request: JsonRecord): readonly string[] {
  const found = new Set<string>();
  const collect = (key: string): boolean => found.add(key).has(key);
  for (const { parameters } of listParts(request)) filterKeywords(parameters, collect);
  return [...found];
}

/** A schema with those keywords that are kept. Names of properties are no keywords. */
function filterKeywords(schema: unknown, isKept: (key: string) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => filterKeywords(item, isKept));
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, item]) => {
    if (!isKept(key)) return [];
    if (valueKeywords.has(key)) return [[key, item]];
    if (!namingKeywords.has(key) || !isRecord(item)) return [[key, filterKeywords(item, isKept)]];
    const named = Object.entries(item).map(([name, inner]) => [name, filterKeywords(inner, isKept)]);
    return [[key, Object.fromEntries(named)]];
  });
  return Object.fromEntries(entries);
}

/** Keywords below which names stand, and keywords whose value is no schema. */
const namingKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);
const valueKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

/** The request with changes applied, wherever a field is. */
export function applyChanges(request: JsonRecord, changes: Iterable<FieldChange>): JsonRecord {
  const byName = new Map([...changes].map(({ name, newName }) => [name, newName]));
  if (byName.size === 0) return request;
  const parts = new Set<unknown>(listParts(request));
  const rebuild = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rebuild);
    if (!isRecord(value)) return value;
    const isPart = parts.has(value);
    const entries = Object.entries(value).flatMap(([key, item]) => {
      const newName = isPart ? byName.get(key) : undefined;
      if (newName === null) return [];
      const isSchema = isPart && key === 'parameters';
      return [[newName ?? key, isSchema ? filterKeywords(item, (name) => !byName.has(name)) : rebuild(item)]];
    });
    return Object.fromEntries(entries) as JsonRecord;
  };
  return rebuild(request) as JsonRecord;
}

/** Changes that endpoints asked for, by endpoint and model: each is asked for once in a process. */
export class FieldChanges {
  readonly #changes = new Map<string, Map<string, FieldChange>>();

  list(endpoint: string): readonly FieldChange[] {
    return [...(this.#changes.get(endpoint)?.values() ?? [])];
  }

  add(endpoint: string, changes: readonly FieldChange[]): void {
    const known = this.#changes.get(endpoint) ?? new Map<string, FieldChange>();
    for (const change of changes) known.set(change.name, change);
    this.#changes.set(endpoint, known);
  }
}
