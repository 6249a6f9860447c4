/** Kind of a thread, as its name says it. */
export type NamedKind = 'issue' | 'change-request';

/** A thread as people name it: by its page, or by its repository and number. */
export interface ThreadName {
  /** Host of its page, with the port; null for a name without one. */
  readonly host: string | null;
  /** Path of the repository or project, as its page has it: a server below a path has that path in front. */
  readonly path: string;
  readonly number: number;
  /** Null if the name does not say it: on GitHub, issues and pull requests share their numbers. */
  readonly kind: NamedKind | null;
}

const kinds: Readonly<Record<string, NamedKind>> = {
  issues: 'issue',
  work_items: 'issue',
  pull: 'change-request',
  merge_requests: 'change-request',
};

/** Kinds by the mark between path and number: `#` is for issues on GitLab, and for both kinds on GitHub. */
const marks: Readonly<Record<string, NamedKind | null>> = { '#': null, '!': 'change-request' };

const shorthand = /^([^\s#!]{3,300})([#!])(\d{1,15})$/u;

/**
 * Reads the address of an issue, a pull request or a merge request, or `owner/repo#42` and `group/project!42`. What follows the number in an
 * address does not count. Null for any other text.
 *
 * @example
 * parseThreadName('https://github.com/octo/hello/issues/4'); // { host: 'github.com', path: 'octo/hello', number: 4, kind: 'issue' }
 */
export function parseThreadName(text: string): ThreadName | null {
  const given = text.trim();
  if (/^https?:\/\//iu.test(given)) return URL.canParse(given) ? parsePage(new URL(given)) : null;
  const [, path = '', mark = '', digits = ''] = shorthand.exec(given) ?? [];
  if (!isPath(path.split('/'))) return null;
  return toName({ host: null, path, digits, kind: marks[mark] ?? null });
}

function parsePage({ host, pathname }: URL): ThreadName | null {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const at = segments.findIndex(
    (segment, index) => index > 1 && kinds[segment] !== undefined && /^\d+$/u.test(segments[index + 1] ?? ''),
  );
  if (at === -1) return null;
  const kind = kinds[segments[at] ?? ''] ?? null;
  const place = segments.slice(0, segments[at - 1] === '-' ? at - 1 : at).map(decode);
  if (!isPath(place)) return null;
  return toName({ host, path: place.join('/'), digits: segments[at + 1] ?? '', kind });
}

function toName({
  digits,
  ...name
}: Omit<ThreadName, 'number'> & { readonly digits: string }): ThreadName | null {
  const number = Number(digits);
  return Number.isSafeInteger(number) && number >= 1 ? { ...name, number } : null;
}

/** At least an owner and a name, none of them empty. */
function isPath(segments: readonly string[]): boolean {
  return segments.length >= 2 && segments.every((segment) => /^[^\s/:]+$/u.test(segment));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
