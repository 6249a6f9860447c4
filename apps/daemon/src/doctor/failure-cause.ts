import type { Environment } from '@agent/workspace';

/** Reason why a server gave no answer. Each has advice of its own. */
export type FailureCause =
  /** The name of the host has no address. */
  | 'unknown-host'
  /** Nothing listens there. */
  | 'refused'
  | 'timeout'
  /** No route to the host or network. */
  | 'no-route'
  /** The connection was closed before an answer, or what came was not HTTP. */
  | 'broken'
  /** A port that fetch never connects to, such as 9. */
  | 'blocked-port'
  /** The system does not let this process connect. */
  | 'forbidden'
  /** Signed by an authority that this machine does not know, or by itself. */
  | 'untrusted-certificate'
  | 'expired-certificate'
  /** The certificate is for another host name. */
  | 'other-name'
  /** The address begins with https, and the server does not use TLS. */
  | 'no-tls'
  | 'redirect'
  /** A proxy was asked, and refused. */
  | 'proxy';

const patterns: readonly (readonly [FailureCause, RegExp])[] = [
  ['unknown-host', /^(?:ENOTFOUND|EAI_)/],
  ['refused', /^ECONNREFUSED$/],
  ['timeout', /^(?:ETIMEDOUT|TimeoutError|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/],
  ['no-route', /^(?:EHOST|ENET|EADDRNOTAVAIL)/],
  ['forbidden', /^(?:EACCES|EPERM)$/],
  ['expired-certificate', /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/],
  ['other-name', /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  ['untrusted-certificate', /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT)/],
  ['no-tls', /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/],
  ['broken', /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_)/],
  ['blocked-port', /^bad port$/],
  ['redirect', /^unexpected redirect$/],
  ['proxy', /^(?:UND_ERR_PRX_TLS|Proxy response \(\d+\))/],
];

/** Most errors that one error can have below it. */
const maxDepth = 8;

/** Finds why a request got no answer, by the codes of an error and of what caused it; null for any other failure. */
export function findFailureCause(error: unknown): FailureCause | null {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < maxDepth; next = next.cause)
    chain.push(next);
  const marks = chain.flatMap((one) => [(one as { code?: unknown }).code, one.name, one.message]);
  const found = patterns.find(([, pattern]) =>
    marks.some((mark) => typeof mark === 'string' && pattern.test(mark)),
  );
  return found?.[0] ?? null;
}

/** Tells what an error says of a connection in a few characters: its code, or the message of what caused it. */
export function toFailureWord(error: unknown): string {
  let last = error;
  for (let depth = 0; last instanceof Error && last.cause instanceof Error && depth < maxDepth; depth += 1)
    last = last.cause;
  const { code, name, message } = (last ?? {}) as Readonly<Record<'code' | 'name' | 'message', unknown>>;
  if (typeof code === 'string') return code;
  return name === 'TimeoutError' ? 'timeout' : String(message ?? last);
}

/** Proxy that the environment names for an address, and whether Node uses it. */
export interface NamedProxy {
  /** `HTTPS_PROXY`, as it is spelled in the environment. */
  readonly variable: string;
  /** False unless it and `NODE_USE_ENV_PROXY` were set when Node started. */
  readonly isUsed: boolean;
}

/** Environments that a proxy can be named in. */
export interface ProxyEnvironment {
  /** The process's own, over that of `.env`. */
  readonly environment: Environment;
  /** Environment that Node was started with. */
  readonly processEnvironment: Environment;
}

/** Finds the proxy that the environment names for an address; null if there is none, or `NO_PROXY` excludes the host. */
export function findProxy(
  url: string,
  { environment, processEnvironment }: ProxyEnvironment,
): NamedProxy | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = names.find((name) => environment[name]);
  if (variable === undefined || isExcluded(hostname, environment)) return null;
  const isUsed = processEnvironment.NODE_USE_ENV_PROXY === '1' && Boolean(processEnvironment[variable]);
  return { variable, isUsed };
}

function isExcluded(host: string, { no_proxy: lower, NO_PROXY: upper }: Environment): boolean {
  const entries = (lower ?? upper ?? '').split(/[\s,]+/).filter(Boolean);
  return entries.some((entry) => {
    const name = entry.replace(/:\d+$/, '').replace(/^\*?\./, '');
    return name === '*' || host === name || host.endsWith(`.${name}`);
  });
}
