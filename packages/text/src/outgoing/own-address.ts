/** Tells whether an address, as it stands in Markdown, is of a host to which links may lead. */
export type IsOwnAddress = (address: string) => boolean;

/** An address in which nothing means anything to a reader of Markdown. */
const plainAddress = /^https?:\/\/([\w.-]+(?::\d{1,5})?)(?:[/?#][\w.:/?#=&%+,-]*)?$/i;

/**
 * Makes the test from host names, with their port where it is not the usual one.
 *
 * @example
 * createOwnAddress(['github.com'])('https://github.com/octo/hello/pull/2'); // true
 */
export function createOwnAddress(hosts: readonly string[]): IsOwnAddress {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return (address) => known.has(plainAddress.exec(address)?.[1]?.toLowerCase() ?? '');
}
