import { findNetworkFailure } from '@agent/text';
import type { Environment } from '@agent/workspace';
import type { DoctorTools, ProxyEnvironment } from './finding.ts';

/** Request that got no answer. */
export interface FailedRequest {
  readonly error: unknown;
  /** Address that was requested. */
  readonly url: string;
  /** Setting that the address comes from: a key of the configuration, or a variable. */
  readonly key: string;
}

/** Causes that a proxy, used or left out, may have as well as the server. */
const maybeProxy: ReadonlySet<string> = new Set([
  ...['unknown-host', 'refused', 'timeout', 'no-route', 'broken', 'proxy', 'unknown'],
]);

/** Says what helps against the very cause of a request that got no answer. */
export function adviseOnNetwork(
  { error, url, key }: FailedRequest,
  { texts, ...environments }: Pick<DoctorTools, 'texts'> & ProxyEnvironment,
): string {
  const cause = findNetworkFailure(error) ?? 'unknown';
  const { host, hostname } = URL.canParse(url) ? new URL(url) : { host: url, hostname: url };
  const isLocal = /^(?:localhost|127\.|\[::1\]$)/.test(hostname);
  const advice = texts.network[cause]({ key, host, isLocal });
  const proxy = maybeProxy.has(cause) ? findProxy(url, environments) : null;
  if (proxy === null) return advice;
  if (proxy.isUsed) return texts.proxyUsed(proxy.variable, host);
  return `${advice} ${texts.proxyIgnored(proxy.variable)}`;
}

/** Proxy that the environment names for an address, and whether Node uses it. */
interface NamedProxy {
  /** `HTTPS_PROXY`, as it is spelled in the environment. */
  readonly variable: string;
  /** False unless it and `NODE_USE_ENV_PROXY` were set when Node started. */
  readonly isUsed: boolean;
}

/** Finds the proxy that the environment names for an address; null if there is none, or `NO_PROXY` excludes the host. */
function findProxy(url: string, { environment, processEnvironment }: ProxyEnvironment): NamedProxy | null {
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
