import { ConfigError } from '@agent/orchestrator/config';
import type { NamedPlatform } from '@agent/orchestrator/platforms';
import { PlatformError } from '@agent/platforms';
import type { DoctorTools, Remedy } from './finding.ts';
import { adviseOnNetwork } from './network-advice.ts';

/** Kind of a credential: a GitHub App, a classic token of GitHub, which has scopes of its own, or any other token. */
export type CredentialKind = 'app' | 'classic' | 'token';

/** A built-in platform, and the page on which its tokens are made. */
export interface AdvisedPlatform extends NamedPlatform {
  readonly tokenPage: string;
}

/** Tells the kind of a credential, by the section that names it and the token that it gives. */
export function toCredentialKind({ section }: AdvisedPlatform, token: string): CredentialKind {
  if (findApp(section) !== null) return 'app';
  return token.startsWith('ghp_') ? 'classic' : 'token';
}

interface NamedApp {
  readonly private_key_env: string;
}

function findApp(section: object): NamedApp | null {
  return (section as { readonly app?: NamedApp | null }).app ?? null;
}

/** Finds the page on which Apps are made, beside that of tokens. */
function toAppPage(tokenPage: string): string {
  return new URL('apps', tokenPage).href;
}

/** Says what to do about a platform that could not be connected to, or asked. */
export function adviseOnPlatform(
  error: unknown,
  platform: AdvisedPlatform,
  tools: Pick<DoctorTools, 'texts' | 'environment' | 'processEnvironment'>,
): Remedy {
  const { texts } = tools;
  const { name, section, entry, tokenPage } = platform;
  const app = findApp(section);
  const variable = app?.private_key_env ?? section.token_env;
  const place = { section: `platforms.${name}`, variable, rights: entry.init.tokenRights };
  const credentialPage = app === null ? tokenPage : toAppPage(tokenPage);
  if (error instanceof ConfigError) {
    const fix = app === null ? texts.fixTokenNotSet(place) : texts.fixAppKeyNotSet(place);
    return { fix, url: credentialPage };
  }
  if (!PlatformError.isInstance(error)) return adviseOnAdapter(error, `platforms.${name}`, tools);
  const key = `platforms.${name}.base_url`;
  const { baseUrl: usual, ownBaseUrl: own } = entry.init;
  switch (error.reason ?? error.code) {
    case 'token-file':
      return { fix: texts.fixTokenFile(place) };
    case 'private-key':
      return { fix: texts.fixAppKey(place), url: credentialPage };
    case 'app-login':
      return { fix: texts.fixAppLogin(place), url: credentialPage };
    case 'app-installation':
      return { fix: texts.fixAppInstallation, url: credentialPage };
    case 'suspended':
      return { fix: texts.fixSuspended };
    case 'other-service':
    case 'not-found':
      return { fix: texts.fixApiAddress({ key, usual, own }) };
    case 'rate-limited':
      return { fix: texts.fixLater };
    case 'forbidden':
      return { fix: texts.fixRights(place), url: credentialPage };
    case 'unavailable':
      return { fix: adviseOnOutage(error, { key, url: section.base_url }, tools) };
    default:
      return app === null
        ? { fix: texts.fixToken(place), url: tokenPage }
        : { fix: texts.fixAppLogin(place), url: credentialPage };
  }
}

/** A server that answers with a failure of its own is reached. */
function adviseOnOutage(
  error: PlatformError,
  { key, url }: { readonly key: string; readonly url: string },
  tools: Pick<DoctorTools, 'texts' | 'environment' | 'processEnvironment'>,
): string {
  const { status } = (error.cause ?? {}) as { readonly status?: unknown };
  if (typeof status !== 'number') return adviseOnNetwork({ error, key, url }, tools);
  if (status >= 300 && status < 400)
    return adviseOnNetwork({ error: new Error('unexpected redirect'), key, url }, tools);
  return status === 407
    ? adviseOnNetwork({ error: new Error('Proxy response (407)'), key, url }, tools)
    : tools.texts.fixServerFault;
}

/** Says what to do about the adapter of a custom platform. `key` is that of its section. */
export function adviseOnAdapter(error: unknown, key: string, { texts }: Pick<DoctorTools, 'texts'>): Remedy {
  const { code } = error as { readonly code?: unknown };
  if (code === 'unavailable') return { fix: texts.fixAdapterServer(key) };
  return code === 'rate-limited' ? { fix: texts.fixLater } : { fix: texts.fixAdapter };
}
