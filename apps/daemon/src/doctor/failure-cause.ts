import type { Environment } from '@agent/workspace';

/** Most errors that one error can have below it. */
const maxDepth = 8;

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
