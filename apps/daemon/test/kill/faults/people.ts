import type { Forge } from '../../support/forge.ts';

/** Somebody's words on a thread, with all that became of them. */
export interface Saying {
  readonly id: string;
  readonly by: string;
  readonly reference: string;
  /** Oldest first. Each text has a word of its own, that stands nowhere else. */
  readonly revisions: readonly Revision[];
  /** Null for what is no command: `stop`. */
  readonly command: string | null;
  /** Milliseconds since the epoch; null while it stands. */
  readonly deletedAt: number | null;
}

interface Revision {
  /** Null for a text without one. */
  readonly word: string | null;
  readonly at: number;
}

export interface SayOptions {
  /** Default: alice, who may push. Bob may not. */
  readonly by?: string;
  /** Text around the word. Default: a request to mind it. */
  readonly text?: (word: string) => string;
}

/** People on one thread. Whatever they do is remembered. */
export interface People {
  readonly say: (options?: SayOptions) => Saying;
  /** `/stop`, as it is written: nothing else stands in the comment. */
  readonly command: (name: string, by?: string) => Saying;
  readonly edit: (saying: Saying, text?: (word: string) => string) => void;
  readonly remove: (saying: Saying) => void;
  /** Gives the thread to the agent. */
  readonly label: () => void;
  readonly sayings: () => readonly Saying[];
  /** When somebody labeled the thread, in milliseconds since the epoch: the label that it was opened with is the first. */
  readonly labels: () => readonly number[];
}

export const agentLabel = 'coding agent';

/** No word begins another. */
const toWord = (number: number): string => `kiwi${number}plum`;

export function createPeople(forge: Forge, reference: string): People {
  const sayings = new Map<string, Saying>();
  const labels = [Date.now()];
  let words = 0;
  const mind = (word: string): string => `Please mind ${word}.`;
  const nextWord = (): string => {
    words += 1;
    return toWord(words);
  };
  const keep = (saying: Saying): Saying => {
    sayings.set(saying.id, saying);
    return saying;
  };

  return {
    say: ({ by = 'alice', text = mind } = {}) => {
      const word = nextWord();
      const id = forge.comment(reference, { author: by, body: text(word) });
      const revisions = [{ word, at: Date.now() }];
      return keep({ id, by, reference, revisions, command: null, deletedAt: null });
    },
    command: (name, by = 'alice') => {
      const id = forge.comment(reference, { author: by, body: `/${name}` });
      const revisions = [{ word: null, at: Date.now() }];
      return keep({ id, by, reference, revisions, command: name, deletedAt: null });
    },
    edit: ({ id }, text = mind) => {
      const saying = sayings.get(id);
      if (saying === undefined || saying.deletedAt !== null) return;
      const word = nextWord();
      forge.editComment(id, text(word));
      keep({ ...saying, revisions: [...saying.revisions, { word, at: Date.now() }] });
    },
    remove: ({ id }) => {
      const saying = sayings.get(id);
      if (saying === undefined || saying.deletedAt !== null) return;
      forge.deleteComment(id);
      keep({ ...saying, deletedAt: Date.now() });
    },
    label: () => {
      forge.addLabels(reference, [agentLabel]);
      labels.push(Date.now());
    },
    sayings: () => [...sayings.values()],
    labels: () => labels,
  };
}
