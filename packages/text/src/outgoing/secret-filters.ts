import { createKnownSecrets, findSecrets, replaceSecrets } from '../secrets/index.ts';

/** Gives a text back without secrets. */
export type Redact = (text: string) => string;

/** The two ways in which secrets are kept from somebody. */
export interface SecretFilters {
  /**
   * Towards the model and what it is rebuilt from: the values that this process holds, nothing else. A pattern would
   * rewrite the code that the model reads, and the model would write it back.
   */
  readonly hideKnownSecrets: Redact;
  /** For whatever leaves, and for what later runs take over: the same values in more spellings, and what is written as secrets are. */
  readonly redactOutgoing: Redact;
}

/** Makes both filters from the values that a process holds. */
export function createSecretFilters(values: readonly string[]): SecretFilters {
  const known = createKnownSecrets(values);
  return {
    hideKnownSecrets: known.hide,
    redactOutgoing: (text) => replaceSecrets(text, findSecrets(text, known)),
  };
}
