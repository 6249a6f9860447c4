import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Whether a request may be answered that names this host. A page on the web can point a name of its own at our
 * address, but it cannot make the browser name another host: so only loopback and the configured
 * names are known, and, where the server listens on every address, any bare address.
 */
export function isAllowedHost(
  header: string | undefined,
  { host, allowedHosts }: { readonly host: string; readonly allowedHosts: readonly string[] },
): boolean {
  const name = hostnameOf(header);
  if (name === null) return false;
  const known = ['localhost', host, ...allowedHosts].map((one) => one.toLowerCase());
  if (known.includes(name) || isLoopback(name)) return true;
  return isEveryAddress(host) && isIP(name) !== 0;
}

/** Whether only this machine can reach a server that listens there. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The name without its port; null for a header that is none. */
function hostnameOf(header: string | undefined): string | null {
  const parts = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[^\s:/@[\]]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return (parts?.groups?.six ?? parts?.groups?.name)?.toLowerCase() ?? null;
}
