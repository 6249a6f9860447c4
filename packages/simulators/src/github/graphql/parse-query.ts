/** A field that a query asks for, or what it asks of one type of several. */
export type Selection =
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly alias: string;
      readonly values: Readonly<Record<string, unknown>>;
      /** Null for a leaf. */
      readonly selections: readonly Selection[] | null;
    }
  | { readonly kind: 'on'; readonly type: string; readonly selections: readonly Selection[] };

/** What is asked for, and of which root. */
export interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly selections: readonly Selection[];
}

const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** Thrown for what is no query. */
export class QueryError extends Error {}

const token = /\.\.\.|[{}()[\]:,!$=]|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|-?\d+/g;

/**
 * Reads one query or mutation with its variables: fields, aliases, arguments, lists, objects and inline fragments, which is
 * what clients that write their queries out need. @see https://spec.graphql.org/October2021/#sec-Language
 */
export function parseQuery(text: string, variables: Readonly<Record<string, unknown>>): Operation {
  const tokens = text.match(token) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const found = tokens[at] ?? 'the end';
    if (expected !== undefined && found !== expected)
      throw new QueryError(`Expected ${expected}, found ${found}`);
    at += 1;
    return found;
  };
  const takeIf = (expected: string): boolean => {
    if (tokens[at] !== expected) return false;
    at += 1;
    return true;
  };
  const readValue = (): unknown => {
    const found = take();
    if (found === '$') return variables[take()] ?? null;
    if (found === '[') {
      const items: unknown[] = [];
      while (!takeIf(']')) {
        items.push(readValue());
        takeIf(',');
      }
      return items;
    }
    if (found === '{') return readFields('}');
    if (found in literals) return literals[found];
    return found.startsWith('"') || /^-?\d/.test(found) ? JSON.parse(found) : found;
  };
  const readValues = () => (takeIf('(') ? readFields(')') : {});
  const readFields = (end: string): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    while (!takeIf(end)) {
      const name = take();
      take(':');
      values[name] = readValue();
      takeIf(',');
    }
    return values;
  };
  const readSelection = (): Selection => {
    if (takeIf('...')) {
      take('on');
      return { kind: 'on', type: take(), selections: readSelections() };
    }
    const alias = take();
    const name = takeIf(':') ? take() : alias;
    const values = readValues();
    return { kind: 'field', name, alias, values, selections: tokens[at] === '{' ? readSelections() : null };
  };
  const readSelections = (): readonly Selection[] => {
    take('{');
    const selections: Selection[] = [];
    while (!takeIf('}')) {
      if (at >= tokens.length) throw new QueryError('Expected }, found the end');
      selections.push(readSelection());
    }
    return selections;
  };
  const kind = takeIf('mutation') ? 'mutation' : 'query';
  if (kind === 'mutation' || takeIf('query')) while (at < tokens.length && tokens[at] !== '{') at += 1;
  return { kind, selections: readSelections() };
}
