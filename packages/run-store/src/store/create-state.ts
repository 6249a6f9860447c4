import type { NewFact } from '../journal/journal-writer.ts';
import type { Json } from '../journal-model.ts';
import { requireStateName, toStateValue } from '../lines/state-name.ts';
import type { RunState } from '../ports.ts';

/** A value that is to be stored. */
export interface NewValue {
  readonly name: string;
  /** Null removes it. */
  readonly value: Json;
  /** True for a value that must last. */
  readonly sync: boolean;
  /** The fact that says it, for the record of the run. */
  readonly fact: NewFact;
}

interface StateParts {
  /** Reads a value; null if there is none. */
  readonly read: (name: string) => Promise<unknown>;
  readonly write: (value: NewValue) => Promise<void>;
  /** Runs reads and writes in the order of the calls. `action`: in words for people. */
  readonly inTurn: <Result>(action: string, work: () => Promise<Result>) => Promise<Result>;
}

/** The rules of the values of a run, for every medium: names are checked, and a value is stored as it was when it was given. */
export function createState({ read, write, inTurn }: StateParts): RunState {
  return {
    read: async (name) => {
      requireStateName(name);
      return inTurn(`read "${name}"`, () => read(name));
    },
    write: async (name, value, { sync = true } = {}) => {
      requireStateName(name);
      // As it is now: the caller may change it while it waits for its turn.
      const kept = toStateValue(name, value);
      const fact = { name: 'state', data: { name, value: kept } };
      return inTurn(`write "${name}"`, () => write({ name, value: kept, sync, fact }));
    },
  };
}
