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
