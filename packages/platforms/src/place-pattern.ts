/** Words of a platform for the places that tasks come from. */
export interface PlaceLanguage {
  /** `repository`, `project`. */
  readonly noun: string;
  /** True where groups have groups in them, which `**` reaches. */
  readonly subgroups: boolean;
}

/** A pattern of places, all of one owner: `acme/*`, `acme/web-*`, `group/**`. */
export interface PlacePattern {
  /** As it was written. */
  readonly text: string;
  /** Owner, group or subgroup whose repositories it chooses from. */
  readonly owner: string;
  /** True for `**`: those of groups below, too. */
  readonly subgroups: boolean;
  /** Tells whether it names this place, whatever the case. */
  readonly matches: (path: string) => boolean;
}

/** Tells a pattern from the name of one place. */
export function isPlacePattern(entry: string): boolean {
  return entry.includes('*');
}

/**
 * Reads an entry as a pattern; a name is the pattern of one place.
 *
 * @throws Error that says what to write, for what `findPlaceMistake` finds
 * @example
 * parsePlacePattern('acme/web-*').matches('Acme/web-shop'); // true
 */
export function parsePlacePattern(entry: string): PlacePattern {
  const mistake = findPlaceMistake(entry, { noun: 'repository', subgroups: true });
  if (mistake !== null) throw new Error(mistake);
  const segments = entry.split('/');
  const name = segments.pop() ?? '';
  const subgroups = name === '**' || segments.at(-1) === '**';
  if (name !== '**' && subgroups) segments.pop();
  const owner = segments.join('/');
  const isName = createNameTest(name === '**' ? '*' : name);
  const prefix = `${owner}/`.toLowerCase();
  return {
    text: entry,
    owner,
    subgroups,
    matches: (path) => {
      const lower = path.toLowerCase();
      if (!lower.startsWith(prefix)) return false;
      const below = lower.slice(prefix.length).split('/');
      return (subgroups || below.length === 1) && isName(below.at(-1) ?? '');
    },
  };
}

/** Compares a name with what stands between its stars, in one pass. */
function createNameTest(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  return (name) => {
    if (last === undefined) return name === first;
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return name !== '' && at <= name.length - last.length;
  };
}

/** Finds what is wrong with a name or a pattern, and says what to write; null for one that is right. */
export function findPlaceMistake(entry: string, { noun, subgroups }: PlaceLanguage): string | null {
  const owner = subgroups ? 'group' : 'owner';
  const say = (mistake: string) => `${JSON.stringify(entry)} ${mistake}`;
  if (/\s/u.test(entry)) return say('has spaces: take them out.');
  if (entry.includes('://')) return say(`must look like ${owner}/${noun}, without a host.`);
  const segments = entry.split('/');
  if (segments.length === 1 && /^\*+$/u.test(entry))
    return say(`names every ${owner}: write whose, as ${owner}/*.`);
  if (segments.length > 1 && segments.at(-1) === '')
    return say(`ends with a slash: write ${entry}* for all in it, or ${entry}NAME for one.`);
  const mistake = findSegmentMistake(segments, { noun, subgroups });
  return mistake === null ? null : say(mistake);
}

function findSegmentMistake(segments: readonly string[], { noun, subgroups }: PlaceLanguage): string | null {
  const owner = subgroups ? 'group' : 'owner';
  const [first = '', ...others] = segments;
  if (first.includes('*')) return `names the ${noun} of every ${owner}: write whose, as ${owner}/*.`;
  // A segment of dots alone would be another address.
  const hasNames = segments.every((segment) => /^(?!\.+$)[\p{L}\p{N}_.*-]+$/u.test(segment));
  if (others.length === 0 || !hasNames || (!subgroups && others.length > 1 && !segments.includes('**')))
    return `must look like ${owner}/${noun}, without a host, or like ${owner}/* for all of one ${owner}.`;
  if (!subgroups && others.some((segment) => segment.includes('**')))
    return `has **, which reaches into subgroups, but there are no subgroups here: write ${first}/*.`;
  const groups = others.slice(0, -1);
  const above = groups.at(-1) === '**' ? groups.slice(0, -1) : groups;
  const name = others.at(-1) ?? '';
  const isDeep = groups.at(-1) === '**';
  if (above.some((segment) => segment.includes('*')) || (isDeep && name === '**'))
    return `has a star in the name of a group: stars stand in the last part alone, as in ${first}/* or ${first}/**.`;
  return name.includes('**') && name !== '**'
    ? 'has ** within a name: write one star for any letters, or ** alone for subgroups.'
    : null;
}
