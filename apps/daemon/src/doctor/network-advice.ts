import { findNetworkFailure } from '@agent/text';
import { findProxy, type ProxyEnvironment } from './failure-cause.ts';
import type { DoctorTools } from './finding.ts';

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
