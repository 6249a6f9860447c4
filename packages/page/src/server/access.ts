import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Context } from 'hono';

/** Reverse proxy that logs users in, and how it proves that a request comes from it. */
export interface ProxyLogin {
  /** Header that names the user. */
  readonly header: string;
  /** Header that only the proxy can send, and its value. Null: the proxy connects through a Unix socket (`isProxySocket`). */
  readonly secret: { readonly header: string; readonly value: string } | null;
  /** Addresses and ranges of the proxy, such as `10.0.0.2` or `10.0.0.0/24`. Empty for any. They only narrow: an address proves nothing. */
  readonly trustedAddresses: readonly string[];
}

/** Names and addresses by which a page is reached. */
export interface PlaceOptions {
  /** Names of the host, with or without a port. Those of loopback and of `publicOrigin` are always among them. */
  readonly allowedHosts: readonly string[];
  /** Address under which people see the page, such as `https://agents.example.com`; null where it is the one of the request. */
  readonly publicOrigin: string | null;
  readonly proxy: ProxyLogin | null;
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Tells whether the page is served under the name that a request has: anything else is a site that points its name at us. */
export function isAllowedHost(context: Context, { allowedHosts, publicOrigin }: PlaceOptions): boolean {
  const host = hostOf(context);
  const name = host.replace(/:\d+$/, '');
  const own = publicOrigin === null ? [] : [new URL(publicOrigin).host];
  const names = [...loopbackHosts, ...own, ...allowedHosts].map((allowed) => allowed.toLowerCase());
  return names.includes(host) || names.includes(name);
}

function hostOf(context: Context): string {
  return (context.req.header('host') ?? new URL(context.req.url).host).toLowerCase();
}

/**
 * Tells whether a form came from a page of ours. Under `Referrer-Policy: no-referrer` a browser names the origin of its own
 * forms `null`; then `Sec-Fetch-Site`, which no page can set, has to say that it is ours.
 */
export function isOwnForm(context: Context, { publicOrigin }: PlaceOptions): boolean {
  const site = context.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = context.req.header('origin') ?? 'null';
  if (origin === 'null') return site === 'same-origin';
  if (publicOrigin !== null && origin === new URL(publicOrigin).origin) return true;
  return URL.canParse(origin) && new URL(origin).host.toLowerCase() === hostOf(context);
}

/** Address of the other end of the connection, as `@hono/node-server` gives it; null where nobody knows. */
export function remoteAddressOf(context: Context): string | null {
  const env = context.env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined;
  const address = env?.incoming?.socket?.remoteAddress;
  return typeof address === 'string' ? address.replace(/^::ffff:/, '') : null;
}

/**
 * Tells whether a request comes from this machine: its address and the name in it are loopback's, and no proxy has
 * passed it on.
 */
export function isLoopback(context: Context, address: string | null): boolean {
  if (address === null || !(address === '::1' || /^127\./.test(address))) return false;
  const isPassedOn = (name: string) => /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/.test(name);
  if ([...context.req.raw.headers.keys()].some(isPassedOn)) return false;
  return loopbackHosts.includes(hostOf(context).replace(/:\d+$/, ''));
}

/** Tells whether a request came through a Unix socket that only the proxy can reach, as the server notes in its environment. */
function isThroughSocket(context: Context): boolean {
  return (context.env as { readonly isProxySocket?: unknown } | undefined)?.isProxySocket === true;
}

/** Reads which user a proxy names: null without the header, `'refused'` if the request does not prove that it comes from the proxy. */
export function readProxyLogin(
  context: Context,
  { proxy, address }: { readonly proxy: ProxyLogin | null; readonly address: string | null },
): { readonly actor: string } | 'refused' | null {
  const name = proxy === null ? undefined : context.req.header(proxy.header)?.trim();
  if (proxy === null || name === undefined || name === '') return null;
  const isProxy = isThroughSocket(context) || (hasSecret(context, proxy) && isTrusted(proxy, address));
  return isProxy ? { actor: name.slice(0, 100) } : 'refused';
}

function hasSecret(context: Context, { secret }: ProxyLogin): boolean {
  if (secret === null || secret.value === '') return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(context.req.header(secret.header) ?? ''), hash(secret.value));
}

function isTrusted({ trustedAddresses }: ProxyLogin, address: string | null): boolean {
  if (trustedAddresses.length === 0) return true;
  const list = new BlockList();
  for (const range of trustedAddresses) {
    const [start = '', prefix] = range.split('/');
    const type = isIP(start) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(start, type);
    else list.addSubnet(start, Number(prefix), type);
  }
  return address !== null && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
