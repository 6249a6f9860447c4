import type { Urls } from '../http/urls.ts';
import type { State, Token, User } from '../state/model.ts';
import { QueryError } from './parse-query.ts';
import type { GraphObject } from './select.ts';

/** Arguments of a field. */
export type Values = Readonly<Record<string, unknown>>;

/** Somebody who asks, and where what he cannot have is noted. */
export interface Asking {
  readonly state: State;
  readonly viewer: User;
  readonly token: Token;
  readonly urls: Urls;
  /** Notes why a field is null. */
  readonly refuse: (error: GraphError) => null;
}

export interface GraphError {
  readonly type: 'NOT_FOUND' | 'FORBIDDEN' | 'UNPROCESSABLE';
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * A page of a list, by cursors that count from its beginning.
 * @throws QueryError without `first` or `last`, and for more than 100
 * @see https://docs.github.com/graphql/guides/using-pagination-in-the-graphql-api
 */
export function connect<Item>(
  list: { readonly name: string; readonly type: string; readonly items: readonly Item[] },
  { first, last, after, before }: Values,
  show: (item: Item) => GraphObject,
): GraphObject {
  const { name, type, items } = list;
  if (first == null && last == null)
    throw new QueryError(
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  const [word, size] = first == null ? ['last', Number(last)] : ['first', Number(first)];
  if (size > 100)
    throw new QueryError(
      `Requesting ${size} records on the \`${name}\` connection exceeds the \`${word}\` limit of 100 records.`,
    );
  let start = after == null ? 0 : Number(after);
  let end = before == null ? items.length : Number(before) - 1;
  if (first == null) start = Math.max(start, end - size);
  else end = Math.min(end, start + size);
  const nodes = items.slice(start, end).map(show);
  return {
    __typename: `${type}Connection`,
    totalCount: items.length,
    pageInfo: {
      __typename: 'PageInfo',
      hasPreviousPage: start > 0,
      hasNextPage: end < items.length,
      startCursor: nodes.length === 0 ? null : String(start + 1),
      endCursor: nodes.length === 0 ? null : String(end),
    },
    nodes,
  };
}
