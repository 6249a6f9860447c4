import type { User } from '../state/model.ts';
import type { GraphObject } from './select.ts';

/** An account as an actor; an app's login lacks its `[bot]` here, and a deleted one is null. */
export function graphActor({ id, login, type, deletedAs }: User): GraphObject | null {
  if (deletedAs !== null) return null;
  return { __typename: type, login: login.replace(/\[bot\]$/, ''), databaseId: id };
}
