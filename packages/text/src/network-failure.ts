/** Reason why a server gave no answer. */
export type NetworkFailureKind =
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

/**
 * Codes, names and messages of errors, as Node, undici, Bun and Deno give them. The first that fits an error or one of its causes counts.
 *
 * @see https://nodejs.org/api/errors.html#common-system-errors and https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
const patterns: readonly (readonly [NetworkFailureKind, RegExp])[] = [
  ['unknown-host', /^(?:(?:DNS_)?ENOTFOUND|EAI_)/],
  ['refused', /^(?:ECONNREFUSED|ConnectionRefused|FailedToOpenSocket)$/],
  ['timeout', /^(?:ETIMEDOUT|Timeout|TimedOut|TimeoutError|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/],
  ['no-route', /^(?:EHOST|ENET|EADDRNOTAVAIL|AddrNotAvailable|NetworkUnreachable|HostUnreachable)/],
  ['forbidden', /^(?:EACCES|EPERM)$/],
  ['expired-certificate', /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/],
  ['other-name', /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/],
  [
    'untrusted-certificate',
    /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERROR_IN_CERT_|ERR_TLS_CERT|INVALID_CA$|INVALID_PURPOSE$)/,
  ],
  ['no-tls', /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/],
  ['blocked-port', /^bad port$/],
  ['redirect', /^unexpected redirect$/],
  ['proxy', /^(?:UND_ERR_PRX_TLS|Proxy response \(\d+\))/],
  [
    'broken',
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_(?!INVALID_|NOT_SUPPORTED)|HPE_|HTTPParserError$|Connection(?:Closed|Reset|Aborted)$|BrokenPipe$|NotConnected$)/,
  ],
];

/** Most errors that one error can have below it. */
const maxDepth = 8;

/** Sorts a code, a name or a message of an error; null if it is none of a network. */
export function sortNetworkCode(code: unknown): NetworkFailureKind | null {
  return typeof code === 'string' ? findKind([code]) : null;
}

/**
 * Finds why a request got no answer, by the codes, names and messages of an error and of its causes; null for any other failure.
 *
 * @example
 * await fetch('http://127.0.0.1:1').catch(findNetworkFailure); // 'refused'
 */
export function findNetworkFailure(error: unknown): NetworkFailureKind | null {
  const marks: string[] = [];
  for (
    let next = error, depth = 0;
    next instanceof Error && depth < maxDepth;
    next = next.cause, depth += 1
  ) {
    const { code, name, message } = next as { code?: unknown; name?: unknown; message?: unknown };
    marks.push(...[code, name, message].filter((mark) => typeof mark === 'string'));
  }
  return findKind(marks);
}

function findKind(marks: readonly string[]): NetworkFailureKind | null {
  return patterns.find(([, pattern]) => marks.some((mark) => pattern.test(mark)))?.[0] ?? null;
}

const passing: ReadonlySet<NetworkFailureKind | null> = new Set([
  ...(['unknown-host', 'refused', 'timeout', 'no-route', 'broken', 'proxy'] as const),
]);

const certificates: ReadonlySet<NetworkFailureKind | null> = new Set([
  ...(['untrusted-certificate', 'expired-certificate', 'other-name'] as const),
]);

/** Tells whether a code names a failure that can pass by itself. */
export function isPassingNetworkCode(code: unknown): boolean {
  return passing.has(sortNetworkCode(code));
}

/** Tells whether a code names a certificate that cannot be trusted. */
export function isCertificateCode(code: unknown): boolean {
  return certificates.has(sortNetworkCode(code));
}
