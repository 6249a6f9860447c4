import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

interface HostRule {
  readonly host: string;
  /** True for all hosts below it, and not for itself. */
  readonly below: boolean;
  /** Null: 80 and 443. */
  readonly port: number | null;
}

function parseRule(text: string): HostRule {
  const [name = '', port] = text.toLowerCase().split(':');
  const below = name.startsWith('*.');
  return { host: below ? name.slice(2) : name, below, port: port === undefined ? null : Number(port) };
}

const usualPorts: ReadonlySet<number> = new Set([80, 443]);

/** Tells whether a list of `host`, `*.host` and `host:port` names a place. A dot at the end of a name means nothing. */
export function isListed(
  rules: readonly string[],
  { host, port }: { readonly host: string; readonly port: number },
): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.map(parseRule).some((rule) => {
    const isHost = rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host;
    return isHost && (rule.port === null ? usualPorts.has(port) : rule.port === port);
  });
}

/** Lists the places that both lists name, in the narrower words of the two. */
export function intersectHosts(one: readonly string[], other: readonly string[]): readonly string[] {
  const within = (texts: readonly string[], bounds: readonly string[]) =>
    texts.filter((text) => bounds.some((bound) => covers(parseRule(bound), parseRule(text))));
  return [...new Set([...within(one, other), ...within(other, one)])];
}

function covers(wide: HostRule, narrow: HostRule): boolean {
  const isBelow = wide.below && narrow.host.endsWith(`.${wide.host}`);
  const isSame = wide.host === narrow.host && wide.below === narrow.below;
  if (!isBelow && !isSame) return false;
  if (wide.port === null) return narrow.port === null || usualPorts.has(narrow.port);
  return wide.port === narrow.port;
}

/** Addresses of this machine, of private networks, and of what no server on the internet has. @see RFC 6890 */
const privateAddresses = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateAddresses.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  privateAddresses.addSubnet(address, prefix, 'ipv6');

/** Tells whether an address is one of this machine, of a private network, or of none. IPv4 in IPv6 counts as what it holds. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family === 0 || privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Addresses of a name, as the system resolves it. */
export type ResolveHost = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const resolveBySystem: ResolveHost = (host) => systemLookup(host, { all: true });

/**
 * Creates what names are resolved by when a connection is made: one that has any private address has none, so that a name
 * cannot be turned to this machine after it was looked at.
 */
export function createPublicLookup(resolve: ResolveHost = resolveBySystem): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (first === undefined || found.some(({ address }) => isPrivateAddress(address))) {
          callback(Object.assign(new Error(`${host} has a private address`), { code: 'EACCES' }), '', 0);
        } else if (options.all === true) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
