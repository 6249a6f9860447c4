import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

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

/**
 * Addresses that are not on the public internet: private, special or reserved ones, and the metadata service of Azure.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
 */
const privateAddresses = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
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
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  privateAddresses.addSubnet(address, prefix, 'ipv6');

/** Lists the addresses of this machine's network interfaces. */
const listOwnAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

/**
 * Tells whether an address belongs to this machine or a private network, or is not an address. An IPv4 address in IPv6 form counts
 * as the IPv4 address. A public address of a network interface of this machine counts as private.
 */
export function isPrivateAddress(
  address: string,
  listOwn: () => readonly string[] = listOwnAddresses,
): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (privateAddresses.check(address, type)) return true;
  const own = new BlockList();
  for (const one of listOwn()) own.addAddress(one, isIP(one) === 4 ? 'ipv4' : 'ipv6');
  return own.check(address, type);
}

/** Addresses of a name, as the system resolves it. */
export type ResolveHost = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const resolveBySystem: ResolveHost = (host) => systemLookup(host, { all: true });

export interface PublicHostOptions {
  /** Default the resolver of the system. */
  readonly resolve?: ResolveHost | undefined;
  /** Default `isPrivateAddress`. */
  readonly isPrivate?: ((address: string) => boolean) | undefined;
}

/**
 * Resolves a host to its addresses; an address resolves to itself. The result is empty if any address is private, so that a name
 * cannot lead to this machine.
 *
 * @throws the error of the resolver
 */
export async function resolvePublicHost(
  host: string,
  { resolve = resolveBySystem, isPrivate = isPrivateAddress }: PublicHostOptions,
): ReturnType<ResolveHost> {
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  return found.some(({ address }) => isPrivate(address)) ? [] : found;
}

/** Creates the lookup function of a connection that is made to public addresses only. */
export function createPublicLookup(resolve?: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    resolvePublicHost(host, { resolve }).then(
      (found) => {
        if (found.length > 0) answerLookup(found)(host, options, callback);
        else callback(Object.assign(new Error(`${host} has a private address`), { code: 'EACCES' }), '', 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

/** Creates a lookup function that knows its answer: the connection is made to these addresses and no others. */
export function answerLookup(addresses: Awaited<ReturnType<ResolveHost>>): LookupFunction {
  return (_, options, callback) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
