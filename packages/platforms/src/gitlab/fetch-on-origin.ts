import { PlatformError } from '../platform-error.ts';

const longestChain = 5;

/**
 * Fetches and follows redirects (GitLab redirects reads of a project that was renamed) on the same origin only: the
 * header with the token goes along.
 *
 * @throws PlatformError `unavailable` when a redirect leads to another host, or from one address to the next for ever
 */
export async function fetchOnOrigin(
  url: URL,
  { fetch: request, init }: { readonly fetch: typeof globalThis.fetch; readonly init: RequestInit },
): Promise<Response> {
  let address = url;
  for (let hops = 0; hops < longestChain; hops += 1) {
    const response = await request(address, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    const next = new URL(location, address);
    if (next.origin !== url.origin) throw elsewhere(`${url.origin} redirects to ${next.origin}`);
    // A redirected write would arrive as a read.
    if (init.method !== 'GET') throw elsewhere(`${url.origin} redirects what is written to it`);
    address = next;
  }
  throw elsewhere(`${url.origin} redirects from one address to the next`);
}

function elsewhere(what: string): PlatformError {
  return new PlatformError(`${what}. Set baseUrl to the address that the server calls its own.`, {
    code: 'unavailable',
  });
}
