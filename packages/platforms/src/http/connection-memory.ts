import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../model.ts';
import type { CallOptions, Identity } from '../ports.ts';

/** An identity that is asked for once. */
export interface RememberedIdentity<Client> extends Identity {
  /** The same account; a question that is still needed goes through this client and is accounted there. */
  readonly askingWith: (client: Client) => Identity;
}

/** Remembers the account from the first answer on; a question that failed is asked again. */
export function rememberIdentity<Client>(
  client: Client,
  ask: (client: Client, options: CallOptions) => Promise<Account>,
): RememberedIdentity<Client> {
  let known: Account | null = null;
  const askingWith = (asker: Client): Identity => ({
    whoAmI: async (options = {}) => {
      known ??= await ask(asker, options);
      return known;
    },
  });
  return { ...askingWith(client), askingWith };
}

/** The labels that are known to be in their repositories, for everybody who uses one connection. */
export interface KnownLabels {
  /**
   * Resolves when the label is known to be there: by an earlier answer, by the question of somebody else that is under
   * way, or by `make`. Rejects with what `make` rejects with; the next who asks tries again.
   */
  readonly ensure: (label: string, make: () => Promise<void>) => Promise<void>;
  readonly forget: (label: string) => void;
}

/** Asks once for each label, however many tasks need it at the same time. */
export function createKnownLabels(): KnownLabels {
  const known = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  return {
    ensure: async (label, make) => {
      for (let other = underWay.get(label); other !== undefined; other = underWay.get(label)) await other;
      if (known.has(label)) return;
      const work = make();
      const settled = work
        .then(
          () => void known.add(label),
          () => undefined,
        )
        .finally(() => underWay.delete(label));
      underWay.set(label, settled);
      await work;
    },
    forget: (label) => void known.delete(label),
  };
}

/** Questions that are sent once where several ask them at the same moment. */
export interface JoinedQuestions {
  /** Asks a moment later, once for all who ask by this name and signal until then: the request begins after each of them. */
  readonly ask: <Answer>(
    question: { readonly name: string; readonly ask: () => Promise<Answer> } & CallOptions,
  ) => Promise<Answer>;
}

/** Joins the parts of one poll that read the same list. Polls with different signals stay apart: each ends alone. */
export function createJoinedQuestions(): JoinedQuestions {
  const unsignaled = {};
  const waiting = new WeakMap<object, Map<string, Promise<unknown>>>();
  return {
    ask: <Answer>({
      name,
      ask,
      signal,
    }: { readonly name: string; readonly ask: () => Promise<Answer> } & CallOptions): Promise<Answer> => {
      const asked = waiting.get(signal ?? unsignaled) ?? new Map<string, Promise<unknown>>();
      waiting.set(signal ?? unsignaled, asked);
      // One name is one kind of answer.
      const known = asked.get(name) as Promise<Answer> | undefined;
      const answer =
        known ??
        nextTurn().then(() => {
          asked.delete(name);
          return ask();
        });
      asked.set(name, answer);
      return answer;
    },
  };
}
