import type { State } from './model.ts';

export interface StateOptions {
  readonly now: () => number;
  readonly maxBodyCharacters: number;
  readonly maxTreeEntries: number;
  readonly mergeabilityMs: number;
}

/** A GitHub on which nobody has signed up yet. */
export function createState(options: StateOptions): State {
  return {
    users: new Map(),
    tokens: new Map(),
    apps: new Map(),
    installations: new Map(),
    manifests: new Map(),
    uploads: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    nextId: 1001,
    ...options,
  };
}

/** The next unused id; ascending. */
export function takeId(state: State): number {
  const id = state.nextId;
  state.nextId += 1;
  return id;
}

/** The server's time as the API writes it: ISO 8601 in UTC, whole seconds. */
export function timestamp(state: State): string {
  return toTimestamp(state.now());
}

/** A time in milliseconds since the epoch as the API writes it. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
