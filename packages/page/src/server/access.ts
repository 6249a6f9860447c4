import type { Context } from 'hono';

/** Header of a reverse proxy that names who is logged in there. */
export interface ProxyLogin {
  readonly header: string;
  /** Addresses of the proxy, such as `10.0.0.2`: from any other the header is refused. */
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

/** Reads who a proxy says is there: null without the header, `'refused'` from an address that is not the proxy's. */
export function readProxyLogin(
  context: Context,
  { proxy, address }: { readonly proxy: ProxyLogin | null; readonly address: string | null },
): { readonly actor: string } | 'refused' | null {
  const name = proxy === null ? undefined : context.req.header(proxy.header)?.trim();
  if (proxy === null || name === undefined || name === '') return null;
  if (address === null || !proxy.trustedAddresses.includes(address)) return 'refused';
  return { actor: name.slice(0, 100) };
}
