import { checkOptions, checkValue, type Expectation, expected, expectNumber } from '../check-options.ts';

/** Values that must not leave: a list, or what gives that of the moment, the same list as long as nothing changed. */
export type SecretValues = readonly string[] | (() => readonly string[]);

/** Lists the values of this moment. */
export function listSecretValues(values: SecretValues): readonly string[] {
  return typeof values === 'function' ? values() : values;
}

/** Secrets that come and go, beside those that stay. */
export interface IssuedSecrets {
  /** Gives all of them, the same list as long as nothing changed. */
  readonly values: () => readonly string[];
  /** Adds one, before it is used for the first time. Its end is null where that is not known. */
  readonly add: (secret: { readonly value: string; readonly endsAt: number | null }) => void;
}

/** Options of `createIssuedSecrets`. */
export interface IssuedSecretsOptions {
  /** Number of issued ones that are remembered, the newest. Default 32. */
  readonly atMost?: number | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const expectations = {
  atMost: expectNumber(1, { isWhole: true }),
  now: expected.function,
} as const satisfies Record<keyof IssuedSecretsOptions, Expectation>;

/** Milliseconds for which a secret that ended is still hidden: what it opened, it opens no more. */
const rememberedMs = 24 * 60 * 60_000;

/**
 * Remembers the secrets that a process is given while it works. Those that ended a day ago are forgotten, so that however long it works, looking
 * for them costs no more than on the second day.
 *
 * @example
 * const secrets = createIssuedSecrets(['a-password-of-9-plums']);
 * secrets.add({ value: 'ghs_0123456789', endsAt: Date.now() + 3_600_000 });
 * createSecretFilters(secrets.values).hideKnownSecrets('ghs_0123456789'); // '[REDACTED]'
 */
export function createIssuedSecrets(
  fixed: readonly string[],
  options: IssuedSecretsOptions = {},
): IssuedSecrets {
  checkValue('The values of createIssuedSecrets', fixed, expected.secrets);
  checkOptions('IssuedSecretsOptions', options, expectations);
  const { atMost = 32, now = Date.now } = options;
  let issued: readonly { readonly value: string; readonly endsAt: number | null }[] = [];
  let all = fixed;
  return {
    values: () => all,
    add: (secret) => {
      if (all.includes(secret.value)) return;
      const oldest = now() - rememberedMs;
      const known = issued.filter(({ endsAt }) => endsAt === null || endsAt > oldest);
      issued = [...known, secret].slice(-atMost);
      all = [...fixed, ...issued.map(({ value }) => value)];
    },
  };
}
