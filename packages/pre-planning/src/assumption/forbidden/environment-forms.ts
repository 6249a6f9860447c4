import type { ForbiddenForm } from './forbidden-form.ts';

/** Sites that are the same for everybody; every other address belongs to somebody's environment. */
const publicSites =
  /(?:^|\.)(?:github\.com|gitlab\.com|npmjs\.(?:com|org)|nodejs\.org|mozilla\.org|python\.org|pypi\.org|w3\.org|ietf\.org|rfc-editor\.org|json-schema\.org|schema\.org|wikipedia\.org|microsoft\.com|typescriptlang\.org|semver\.org|keepachangelog\.com|conventionalcommits\.org|docs\.rs|crates\.io|rubygems\.org|go\.dev|openapis\.org|spdx\.org|editorconfig\.org|opensource\.org|apache\.org)$/;
const domains = 'com|net|org|io|jp|dev|app|cloud|internal|local|lan|corp|intra|home|de|uk|eu|us|info|biz';

/**
 * Where something runs. In a value only: a question may well name a page to look at.
 */
export const environmentForms: readonly ForbiddenForm[] = [
  { category: 'environment', pattern: /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g },
  {
    category: 'environment',
    pattern: /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi,
    holds: isInternetAddress,
  },
  { category: 'environment', pattern: /\blocalhost:\d/gi },
  {
    category: 'environment',
    pattern: /\b(?:https?|wss?|ftp):\/\/[^\s/:?#'"`<>)]{1,253}/gi,
    holds: (found) => !publicSites.test(found.replace(/^\w+:\/\//, '').toLowerCase()),
  },
  {
    category: 'environment',
    // Names of packages in Java are written the other way round.
    pattern: new RegExp(
      `(?<![\\w.@/-])(?!(?:com|org|net|io|jp|dev|app|de)\\.)(?:[a-z0-9-]{1,63}\\.){2,6}(?:${domains})(?![\\w.(-])`,
      'g',
    ),
    holds: (found) => !publicSites.test(found),
  },
  { category: 'environment', pattern: /\barn:aws[a-z-]{0,10}:[a-z0-9-]{1,30}:[a-z0-9-]{0,30}:\d{12}:/g },
];

/** Names of modules have two colons too, and times of day have some: it has eight groups, or `::` and a digit. */
function isInternetAddress(found: string): boolean {
  return (found.includes('::') && /\d/.test(found)) || found.split(':').length === 8;
}
