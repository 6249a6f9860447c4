import { PlatformError } from '../platform-error.ts';

/** Addresses of the pages around one page; null where there is none, or the server does not say. */
export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
  readonly last: string | null;
}

/**
 * The addresses in `Link: <…>; rel="next", …`. Addresses of pages are followed, never built.
 *
 * @throws PlatformError `unavailable` when one leads to another host, which must not see the token
 * @see https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function findPageLinks(link: string | undefined, baseUrl: string): PageLinks {
  const find = (relation: string): string | null => {
    const address = new RegExp(`<([^<>]+)>;\\s*rel="${relation}"`, 'u').exec(link ?? '')?.[1];
    return address === undefined ? null : onSameOrigin(new URL(address, baseUrl), baseUrl);
  };
  return { next: find('next'), previous: find('prev'), last: find('last') };
}

function onSameOrigin(page: URL, baseUrl: string): string {
  if (page.origin === new URL(baseUrl).origin) return page.href;
  throw new PlatformError(
    `GitHub at ${baseUrl} links another page to ${page.origin}. Set baseUrl to the address that the server calls its own.`,
    { code: 'unavailable' },
  );
}
