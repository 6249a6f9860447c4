/**
 * Refuses a stored record of another version: returns one sentence that says what was found, where, and what to do. Null
 * for the version that this program reads.
 *
 * @example
 * findOtherVersion({ version: 2 }, { version: 1, place: 'index.json' }); // index.json has version 2, …
 */
export function findOtherVersion(
  record: unknown,
  { version, place }: { readonly version: number; readonly place: string },
): string | null {
  const found = (record as { readonly version?: unknown } | null)?.version;
  if (found === version) return null;
  const has = found === undefined ? 'no version' : `version ${JSON.stringify(found).slice(0, 40)}`;
  return `${place} has ${has}, and this program reads version ${version} only: use the release that wrote it, or move it away.`;
}
