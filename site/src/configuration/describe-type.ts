import { type JsonSchema, listBranches } from './list-keys.ts';

/** Says in a few words which values a key takes. That it may have none is told by its default. */
export function describeType(schema: JsonSchema): string {
  const words = listBranches(schema)
    .filter(({ type }) => type !== 'null')
    .map(describeOne);
  return [...new Set(words)].join(' or ');
}

function describeOne(schema: JsonSchema): string {
  const { type, enum: values, const: value, items } = schema;
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(', ');
  if (value !== undefined) return `\`${value}\``;
  if (type === 'array') return `list of ${items === undefined ? 'values' : toPlural(describeType(items))}`;
  if (type === 'integer') return `whole number${describeRange(schema)}`;
  if (type === 'number') return `number${describeRange(schema)}`;
  if (type === 'object') return 'section';
  if (type === 'boolean') return '`true`, `false`';
  return type === 'string' ? 'text' : 'any value';
}

function describeRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const most =
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum.toLocaleString('en');
  if (exclusiveMinimum !== undefined)
    return most === null ? ` above ${exclusiveMinimum}` : ` above ${exclusiveMinimum}, at most ${most}`;
  if (minimum === undefined) return most === null ? '' : `, at most ${most}`;
  return most === null ? `, at least ${minimum}` : `, ${minimum.toLocaleString('en')} to ${most}`;
}

function toPlural(words: string): string {
  return words === 'text' ? 'texts' : words.replaceAll('section', 'sections').replaceAll('number', 'numbers');
}
