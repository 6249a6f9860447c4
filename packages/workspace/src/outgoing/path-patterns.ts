/**
 * Tells whether a path matches a pattern: `*` and `?` stay within a segment, `**` spans segments, and a pattern without a slash
 * matches a name in any directory. Case and characters that file systems ignore do not count. Takes time in proportion to the product
 * of both lengths.
 *
 * @example
 * matchesPath('.GitHub/workflows/ci.yml', '.github/workflows/**'); // true
 * matchesPath('packages/a/.npmrc', '.npmrc'); // true
 */
export function matchesPath(path: string, pattern: string): boolean {
  const wanted = toSegments(pattern.replace(/^\/+/, ''));
  const anywhere = pattern.includes('/') ? wanted : ['**', ...wanted];
  return matchSegments(toSegments(path), anywhere);
}

/** Tells whether a path is a directory in which the pattern names something: a link or a submodule there replaces it. */
export function isAbove(path: string, pattern: string): boolean {
  const segments = toSegments(path);
  const wanted = toSegments(pattern.replace(/^\/+/, ''));
  const fixed = wanted.slice(0, -1);
  return pattern.includes('/') && fixed.length >= segments.length && isSameStart(segments, fixed);
}

function isSameStart(segments: readonly string[], fixed: readonly string[]): boolean {
  return segments.every(
    (segment, index) => matchSegment(segment, fixed[index] ?? '') && fixed[index] !== '**',
  );
}

/** Names as a file system that ignores case, invisible characters (HFS+), and dots and spaces at the end (NTFS) compares them. */
function toSegments(path: string): readonly string[] {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => segment.replace(/:.*$/su, '').replace(/[. ]{1,255}$/u, '') || segment);
}

function matchSegments(segments: readonly string[], wanted: readonly string[]): boolean {
  // reached[i]: the first i segments are matched by the pattern so far.
  let reached = [true, ...segments.map(() => false)];
  for (const part of wanted) {
    const next = reached.map(() => false);
    for (let at = 0; at <= segments.length; at += 1) {
      if (part === '**') next[at] = (reached[at] ?? false) || (at > 0 && (next[at - 1] ?? false));
      else if (at > 0) next[at] = (reached[at - 1] ?? false) && matchSegment(segments[at - 1] ?? '', part);
    }
    reached = next;
  }
  return reached.at(-1) ?? false;
}

function matchSegment(text: string, pattern: string): boolean {
  let [at, star, mark] = [0, -1, 0];
  let position = 0;
  while (position < text.length) {
    if (
      at < pattern.length &&
      (pattern[at] === '?' || pattern[at] === text[position]) &&
      pattern[at] !== '*'
    ) {
      at += 1;
      position += 1;
    } else if (pattern[at] === '*') {
      [star, mark] = [at, position];
      at += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      mark += 1;
      position = mark;
    }
  }
  return [...pattern.slice(at)].every((sign) => sign === '*');
}
