/** Value of a header without its text: a number of a rate limit, or a word from a fixed list. */
export type HeaderValue = number | string;

const counted = /^(?:x-)?ratelimit-(?:limit|remaining|used|observed)(?:-(?:requests|tokens))?$/;
const timed = /^(?:x-)?ratelimit-reset(?:-(?:requests|tokens|after))?$/;
const paged = new Set(['x-total', 'x-total-pages', 'x-page', 'x-next-page', 'x-prev-page', 'x-per-page']);
const present = new Set([
  ...[
    'location',
    'last-modified',
    'x-github-request-id',
    'x-request-id',
    'github-authentication-token-expiration',
  ],
  ...[
    'x-accepted-github-permissions',
    'x-accepted-oauth-scopes',
    'x-oauth-scopes',
    'deprecation',
    'sunset',
    'cf-ray',
    'x-ratelimit-bucket',
  ],
]);
const mediaTypes = [
  'application/json',
  'text/event-stream',
  'text/html',
  'text/plain',
  'application/octet-stream',
];
const resources = [
  'core',
  'search',
  'code_search',
  'graphql',
  'integration_manifest',
  'dependency_snapshots',
];
const scopes = ['user', 'global', 'shared'];
const relations = ['first', 'prev', 'next', 'last'];

/** Headers of an answer that matter, without texts, addresses and exact times. */
export function toKnownHeaders(headers: Headers): Readonly<Record<string, HeaderValue>> {
  const known = [...headers].flatMap(([name, value]): [string, HeaderValue][] => {
    const kind = toValue(name, value.trim());
    return kind === null ? [] : [[name, kind]];
  });
  return Object.fromEntries(known);
}

/** Words that a header can have in a record. */
export function isHeaderWord(word: string): boolean {
  const listed = [
    'present',
    'number',
    'time',
    'text',
    'empty',
    'weak',
    'strong',
    'other',
    ...mediaTypes,
    ...resources,
    ...scopes,
  ];
  return listed.includes(word) || word.split(',').every((one) => relations.includes(one));
}

/** Headers that a record can have. */
export function isKnownHeader(name: string): boolean {
  return toValue(name, '') !== null;
}

function toValue(name: string, value: string): HeaderValue | null {
  if (counted.test(name)) return toCount(value);
  if (timed.test(name)) return toTimeKind(value);
  if (paged.has(name)) return typeof toCount(value) === 'number' ? 'number' : toCount(value);
  if (present.has(name)) return 'present';
  switch (name) {
    case 'link':
      return relations.filter((relation) => value.includes(`rel="${relation}"`)).join(',') || 'other';
    case 'etag':
      return value.startsWith('W/') ? 'weak' : 'strong';
    case 'date':
      return toTimeKind(value);
    case 'retry-after':
    case 'x-poll-interval':
      return toCount(value) === 'text' ? toTimeKind(value) : toCount(value);
    case 'content-type':
      return mediaTypes.find((type) => value.toLowerCase().startsWith(type)) ?? 'other';
    case 'x-ratelimit-resource':
      return resources.includes(value) ? value : 'other';
    case 'x-ratelimit-scope':
      return scopes.includes(value) ? value : 'other';
    default:
      return null;
  }
}

function toCount(value: string): HeaderValue {
  if (value === '') return 'empty';
  return /^\d{1,9}$/.test(value) ? Number(value) : 'text';
}

function toTimeKind(value: string): HeaderValue {
  if (/^\d+(?:\.\d+)?(?:ms|s)?$/.test(value)) return 'number';
  return /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$|^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? 'time'
    : 'text';
}
