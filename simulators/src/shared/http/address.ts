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
