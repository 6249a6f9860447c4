import { ConfigError } from '@agent/orchestrator/config';
import type { ProxyLogin } from '@agent/page';
import type { PageSettings } from '@agent/page/config';
import type { Environment } from '@agent/workspace';
import { minSecretLength } from './status-access.ts';

/**
 * Reads how the proxy of the web UI proves itself.
 *
 * @throws ConfigError if its secret is not set, or can be guessed
 */
export function toProxyLogin(proxy: PageSettings['proxy'], environment: Environment): ProxyLogin | null {
  if (proxy === null) return null;
  const {
    header,
    secret_env: variable,
    secret_header: secretHeader,
    trusted_addresses: trustedAddresses,
  } = proxy;
  if (variable === null) return { header, secret: null, trustedAddresses };
  const value = environment[variable]?.trim() ?? '';
  if (value.length < minSecretLength)
    throw new ConfigError(
      `${variable} must be set to a secret of at least ${minSecretLength} characters, such as the output of "openssl rand -hex 32": http.page.proxy.secret_env names it.`,
    );
  return { header, secret: { header: secretHeader, value }, trustedAddresses };
}
