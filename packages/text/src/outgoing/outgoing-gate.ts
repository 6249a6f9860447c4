import {
  checkOptions,
  type Expectation,
  expected,
  expectList,
  expectOptions,
  isObject,
} from '../check-options.ts';
import { removeEnvelopeCodes } from '../envelope-codes.ts';
import {
  createKnownSecrets,
  findSecrets,
  replaceSecrets,
  type SecretValues,
  scanSecrets,
} from '../secrets/index.ts';
import {
  escapeOutgoingLine,
  escapeOutgoingMessage,
  escapeOutgoingText,
  toVisible,
} from './escape-outgoing.ts';
import { type OutgoingMarkdownOptions, outgoingMarkdownExpectations } from './outgoing-markdown.ts';
import { createPatchScanner, type FindPushedSecrets } from './patch-scanner.ts';
import { type AllowedSecrets, nothingAllowed } from './scan-patch.ts';

/** The one door for what the daemon writes on a platform. */
export interface OutgoingGate {
  /**
   * Markdown as it may stand there: without secrets and places of this machine, and doing nothing but being read.
   * Links lead to the hosts of the gate and to these.
   */
  readonly cleanText: (text: string, options?: OutgoingMarkdownOptions) => Promise<string>;
  /** The same for a title, as one line. */
  readonly cleanLine: (text: string) => Promise<string>;
  /** The same for the message of a commit. */
  readonly cleanMessage: (text: string) => Promise<string>;
  /** Secrets in what would be pushed: known values, and what is certain enough to hold a push back. */
  readonly findPushedSecrets: FindPushedSecrets;
}

/** Options of `createOutgoingGate`. */
export interface OutgoingGateOptions {
  /** Values that this process holds. */
  readonly secrets: SecretValues;
  /** Names that stand for directories of this machine and for the model endpoint. */
  readonly places: readonly Place[];
  /** Hosts to which links may lead, with the port where it is not the usual one. Default none. */
  readonly linkHosts?: readonly string[] | undefined;
  /** Exceptions of the operator. Default none. */
  readonly allow?: AllowedSecrets | undefined;
}

const expectations = {
  secrets: expected.secrets,
  places: expectList({
    isMet: (value) => isObject(value) && typeof value.value === 'string' && typeof value.name === 'string',
    text: 'an object with value and name',
  }),
  linkHosts: outgoingMarkdownExpectations.linkHosts,
  allow: expectOptions({ paths: expectList(expected.text), fingerprints: expectList(expected.text) }),
} as const satisfies Record<keyof OutgoingGateOptions, Expectation>;

/**
 * Makes the gate from what the process knows of itself.
 *
 * @example
 * const gate = createOutgoingGate({ secrets: ['a-password-of-9-plums'], places: [] });
 * await gate.cleanText('a-password-of-9-plums, @octocat'); // '[REDACTED], @\u200boctocat'
 */
export function createOutgoingGate(options: OutgoingGateOptions): OutgoingGate {
  checkOptions('OutgoingGateOptions', options, expectations, ['secrets', 'places']);
  const { secrets, places, linkHosts = [], allow = nothingAllowed } = options;
  const known = createKnownSecrets(secrets);
  const hidePlaces = createPlaceHider(places);
  const clean = async (raw: string) => {
    // Before: a sequence for terminals can be all that separates a secret from a word.
    const hasSequence = raw.includes('\u001b') || raw.includes('\u009b');
    const parted = hasSequence ? replaceSecrets(raw, findSecrets(raw, known)) : raw;
    // After: taking a character out of the middle of a secret puts it together.
    const text = removeEnvelopeCodes(toVisible(parted));
    const found = [...findSecrets(text, known), ...(await scanSecrets(text))];
    return hidePlaces(replaceSecrets(text, found));
  };
  return {
    cleanText: async (text, cleaning = {}) => {
      checkOptions('OutgoingMarkdownOptions', cleaning, outgoingMarkdownExpectations);
      const { linkHosts: others = [] } = cleaning;
      return escapeOutgoingText(await clean(text), { linkHosts: [...linkHosts, ...others] });
    },
    cleanLine: async (text) => escapeOutgoingLine(await clean(text)),
    cleanMessage: async (text) => escapeOutgoingMessage(await clean(text)),
    findPushedSecrets: createPatchScanner({ secrets, allow }),
  };
}

/** Something of this machine or of the operator's network, and the word that stands for it. */
export interface Place {
  readonly value: string;
  readonly name: string;
}

/** Makes the function that puts names in the place of addresses and directories that are nobody else's business. */
function createPlaceHider(places: readonly Place[]): (text: string) => string {
  const known = places.filter(({ value }) => value.length > 3);
  const longestFirst = known.toSorted((one, other) => other.value.length - one.value.length);
  return (text) => longestFirst.reduce(hidePlace, text);
}

/** A name that goes on as a longer word is another place. */
function hidePlace(text: string, { value, name }: Place): string {
  if (!text.includes(value)) return text;
  const [first = '', ...rest] = text.split(value);
  return rest.reduce(
    (shown, part) => `${shown}${/[\w-]$/.test(shown) || /^[\w-]/.test(part) ? value : name}${part}`,
    first,
  );
}

export interface KnownPlaces {
  /** Absolute paths with their names; short ones, such as `/app`, say nothing of a machine and are left. */
  readonly directories: Readonly<Record<string, string>>;
  /** Addresses of the model endpoint. */
  readonly endpoints: readonly string[];
  /** Host names that people see anyway: those of the platforms. */
  readonly publicHosts: readonly string[];
}

/**
 * Spells out where the daemon lives and whom it asks.
 *
 * @example
 * listPlaces({ directories: { '/srv/agent/work': 'the work directory' }, endpoints: [], publicHosts: [] });
 * // [{ value: '/srv/agent/work', name: 'the work directory' }]
 */
export function listPlaces({ directories, endpoints, publicHosts }: KnownPlaces): readonly Place[] {
  const named = Object.entries(directories).filter(([path]) => path.split('/').filter(Boolean).length > 1);
  return [
    ...named.map(([value, name]) => ({ value, name })),
    ...endpoints.flatMap((address) => spellEndpoint(address, publicHosts)),
  ];
}

const commonHosts = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0|api\.openai\.com$)/;

function spellEndpoint(address: string, publicHosts: readonly string[]): readonly Place[] {
  if (!URL.canParse(address)) return [];
  const { origin, pathname, host, hostname, port } = new URL(address);
  const whole = `${origin}${pathname.replace(/\/$/, '')}`;
  const withPort = port === '' ? [] : [host];
  const alone = commonHosts.test(hostname) ? [] : [hostname];
  const values = publicHosts.includes(hostname)
    ? [whole, ...withPort]
    : [whole, origin, ...withPort, ...alone];
  return values.map((value) => ({ value, name: 'the model endpoint' }));
}

/** Gives a text back without secrets. */
export type Redact = (text: string) => string;

/** The two ways in which secrets are kept from somebody. */
export interface SecretFilters {
  /**
   * Towards the model and what it is rebuilt from: the values that this process holds, nothing else. A pattern would
   * rewrite the code that the model reads, and the model would write it back.
   */
  readonly hideKnownSecrets: Redact;
  /** For whatever leaves, and for what later runs inherit: the same values in more spellings, and what is written as secrets are. */
  readonly redactOutgoing: Redact;
}

/**
 * Makes both filters from the values that a process holds.
 *
 * @example
 * const { hideKnownSecrets, redactOutgoing } = createSecretFilters(['plum-orchard-lane']);
 * hideKnownSecrets('plum-orchard-lane, password=hunter22'); // '[REDACTED], password=hunter22'
 * redactOutgoing('plum-orchard-lane, password=hunter22'); // '[REDACTED], password=[REDACTED]'
 */
export function createSecretFilters(values: SecretValues): SecretFilters {
  const known = createKnownSecrets(values);
  return {
    hideKnownSecrets: known.hide,
    redactOutgoing: (text) => replaceSecrets(text, findSecrets(text, known)),
  };
}
