import type { ForbiddenForm } from './forbidden-forms.ts';
import { isPublicSite } from './public-sites.ts';

/** Ends of hosts that mean nothing in code, where `this.logger.info` and `messages.locales.de` are no hosts. */
const domains = 'com|net|org|internal|lan|corp|intra|(?:co|ne|or|ac|go)\\.(?:jp|uk)';
/** The others count behind what begins hosts, or behind a hyphen, which no name in code has. */
const ambiguousDomains = 'io|jp|dev|app|cloud|local|home|de|uk|eu|us|info|biz';
const label = '[a-z0-9-]{1,63}';
const notConfig = '(?!(?:config|configs|settings|options|env|locales?|models?|utils)\\.)';

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
    holds: (found) => !isPublicSite(found.replace(/^\w+:\/\//, '')),
  },
  {
    category: 'environment',
    // Names of packages in Java are written the other way round.
    pattern: new RegExp(
      `(?<![\\w.@/-])(?!(?:com|org|net|io|jp|dev|app|de)\\.)(?:(?:${label}\\.){2,6}(?:${domains})|(?:(?:www|api|db|smtp|mail|vpn|prod|staging)\\.|(?=[a-z0-9]{0,40}-)${label}\\.)${notConfig}(?:${label}\\.){1,5}(?:${ambiguousDomains}))(?![\\w.(-])`,
      'g',
    ),
    holds: (found) => !isPublicSite(found),
  },
  { category: 'environment', pattern: /\barn:aws[a-z-]{0,10}:[a-z0-9-]{1,30}:[a-z0-9-]{0,30}:\d{12}:/g },
];

/** Names of modules have two colons too, and times of day have some: it has eight groups, or `::` and a digit. */
function isInternetAddress(found: string): boolean {
  return (found.includes('::') && /\d/.test(found)) || found.split(':').length === 8;
}
