import { QueryError, type Selection } from './parse-query.ts';

/** An object that a query can ask of: its type, and its fields by name; a function takes the field's arguments. */
export interface GraphObject {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

/** Selects the fields of an object that a query asks for. @throws QueryError for a field that its type does not have */
export function select(from: GraphObject, selections: readonly Selection[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const selection of selections) {
    if (selection.kind === 'on') {
      if (selection.type === from.__typename) Object.assign(found, select(from, selection.selections));
      continue;
    }
    const { name, alias, values, selections: inner } = selection;
    if (!(name in from)) throw new QueryError(`Field '${name}' doesn't exist on type '${from.__typename}'`);
    const field = from[name];
    found[alias] = pick(typeof field === 'function' ? field(values) : field, inner);
  }
  return found;
}

function pick(value: unknown, selections: readonly Selection[] | null): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, selections));
  if (value === null || typeof value !== 'object') return value;
  if (selections === null) throw new QueryError('Field must have selections');
  return select(value as GraphObject, selections);
}
