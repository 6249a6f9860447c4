import type { Account } from './model.ts';
import type { CallOptions, Identity } from './ports.ts';

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
