import { PlatformError } from '../platform-error.ts';

/**
 * The address in `Link: <…>; rel="next"`; null at the last page. Addresses of pages are followed, never built.
 *
 * @throws PlatformError `unavailable` when it leads to another host, which must not see the token
 * @see https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function findNextPage(link: string | undefined, baseUrl: string): string | null {
  const address = /<([^<>]+)>;\s*rel="next"/u.exec(link ?? '')?.[1];
  if (address === undefined) return null;
  const next = new URL(address, baseUrl);
  if (next.origin === new URL(baseUrl).origin) return next.href;
  throw new PlatformError(
    `GitHub at ${baseUrl} links its next page to ${next.origin}. Set baseUrl to the address that the server calls its own.`,
    { code: 'unavailable' },
  );
}
