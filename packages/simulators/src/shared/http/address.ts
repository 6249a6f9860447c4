/** An address that a simulator knows. */
export interface Address {
  readonly method: string;
  /** Segments of the address: text, `{name}`, or `{name+}` for one or more segments. */
  readonly segments: readonly string[];
}

/** Reads `GET /repos/{owner}/{repo}`. */
export function parseAddress(address: string): Address {
  const [method = '', path = ''] = address.split(' ');
  return { method, segments: path.split('/').slice(1) };
}

/** The first of the routes that a request means, with its parameters decoded; null when there is none. */
export function findRoute<Route extends Address>(
  routes: readonly Route[],
  request: { readonly method: string; readonly path: string },
): { readonly route: Route; readonly parameters: Record<string, string> } | null {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const segments = request.path.replace(/\/+$/, '').split('/').slice(1);
  if (segments.length === 0) segments.push('');
  for (const route of routes) {
    if (route.method !== method) continue;
    const parameters = matchSegments(route.segments, segments);
    if (parameters) return { route, parameters };
  }
  return null;
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = segments[index];
    if (part.endsWith('+}')) {
      parameters[part.slice(1, -2)] = segments.slice(index).map(decode).join('/');
      return segments.length > index ? parameters : null;
    }
    if (value === undefined) return null;
    if (part.startsWith('{')) parameters[part.slice(1, -1)] = decode(value);
    else if (part !== value) return null;
  }
  return pattern.length === segments.length ? parameters : null;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Checks whether a part of a path can occur in one of the addresses: with a fixed segment of it, or one of the names at the
 * place of a parameter. What is asked for behind a question mark is not checked.
 */
export function occursInAddress(
  part: string,
  addresses: readonly Address[],
  names: Iterable<string>,
): boolean {
  const path = part.split('?', 1)[0] ?? '';
  const pieces = path.toLowerCase().split('/');
  if (path === '' || path === '/' || path.includes('=')) return true;
  const isRooted = pieces[0] === '';
  const wanted = isRooted ? pieces.slice(1) : pieces;
  const known = new Set([...names].map((name) => name.toLowerCase()));
  const isName = (piece: string) => known.has(decode(piece)) || known.has(piece.replace(/\.git$/, ''));
  return addresses.some(({ segments }) =>
    segments.some((_, offset) => occursAt({ wanted, segments: segments.slice(offset), isRooted, isName })),
  );
}

function occursAt(at: {
  readonly wanted: readonly string[];
  readonly segments: readonly string[];
  readonly isRooted: boolean;
  readonly isName: (piece: string) => boolean;
}): boolean {
  const { wanted, segments, isRooted, isName } = at;
  let isSure = false;
  for (const [index, piece] of wanted.entries()) {
    const segment = segments[index];
    if (segment === undefined) return false;
    if (segment.startsWith('{')) {
      if (isName(piece)) isSure = true;
      if (segment.endsWith('+}')) return isSure;
      continue;
    }
    const beginsBefore = index === 0 && !isRooted;
    const goesOn = index === wanted.length - 1;
    if (!isPartOf(segment.toLowerCase(), piece, { beginsBefore, goesOn })) return false;
    if (piece !== '') isSure = true;
  }
  return isSure;
}

function isPartOf(
  segment: string,
  piece: string,
  { beginsBefore, goesOn }: { readonly beginsBefore: boolean; readonly goesOn: boolean },
): boolean {
  if (beginsBefore) return goesOn ? segment.includes(piece) : segment.endsWith(piece);
  return goesOn ? segment.startsWith(piece) : segment === piece;
}
