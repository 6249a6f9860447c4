import type { State, User } from './model.ts';

type StateOptions = Pick<State, 'tier' | 'maxNoteCharacters' | 'maxCountedRecords' | 'eventsAsNotes' | 'now'>;

/** A GitLab on which nobody but the ghost has signed up yet. */
export function createState(options: StateOptions): State {
  const state: State = {
    users: new Map(),
    tokens: new Map(),
    projects: new Map(),
    uploads: new Map(),
    formerPaths: new Map(),
    groups: new Map(),
    nextId: 1001,
    ...options,
  };
  const ghost: User = {
    id: takeId(state),
    username: 'ghost',
    name: 'Ghost User',
    bot: false,
    createdAt: timestamp(state),
    isDeleted: false,
  };
  state.users.set('ghost', ghost);
  return state;
}

/** The next unused id; ascending. */
export function takeId(state: State): number {
  const id = state.nextId;
  state.nextId += 1;
  return id;
}

/** The server's time as the API writes it: ISO 8601 in UTC with milliseconds. */
export function timestamp(state: State): string {
  return new Date(state.now()).toISOString();
}
