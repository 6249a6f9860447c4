/** Paths that the place of a thread's page may have: it may lie in groups, and its server below a path. */
export function listPagePaths(url: string): readonly string[] {
  const place = /^[a-z]+:\/\/[^/]+\/(.+?)\/(?:-\/)?(?:issues|pull|merge_requests|work_items)\/\d+/iu.exec(
    url,
  );
  const segments = place?.[1]?.split('/') ?? [];
  return segments.slice(0, -1).map((_, index) => segments.slice(index).join('/'));
}

/**
 * Finds the place of a thread by its page; null where none has its name. A subgroup may be called as another group is, so that the
 * longest path counts.
 */
export function findNamedPlace(places: readonly string[], url: string): string | null {
  const page = url.toLowerCase();
  const named = places.filter((place) => page.includes(`/${place.toLowerCase()}/`));
  return named.toSorted((one, other) => other.length - one.length)[0] ?? null;
}
