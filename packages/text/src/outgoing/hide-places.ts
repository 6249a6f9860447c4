/** Something of this machine or of the operator's network, and the word that stands for it. */
export interface Place {
  readonly value: string;
  readonly name: string;
}

/** Makes the function that puts names in the place of addresses and directories that are nobody else's business. */
export function createPlaceHider(places: readonly Place[]): (text: string) => string {
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

/** Spells out where the daemon lives and whom it asks. */
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
