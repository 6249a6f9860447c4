import type { ForbiddenCategory } from './forbidden-words.ts';

/** Pattern of something that is never assumed, whatever it is called. */
export interface ForbiddenPattern {
  readonly category: ForbiddenCategory;
  /** An expression with the flag `g`; every repetition in it has an upper bound, so that judging stays linear. */
  readonly pattern: RegExp;
  /** Tells whether what the pattern found is one after all; default always. */
  readonly holds?: (found: string) => boolean;
}

/** A text as forms are looked for in it: full-width signs plain, invisible ones removed. */
export function toPlainSigns(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** The category of the first form that stands in a text of plain signs; null for none. */
export function findPattern(plain: string, forms: readonly ForbiddenPattern[]): ForbiddenCategory | null {
  const found = forms.find(({ pattern, holds = () => true }) =>
    [...plain.matchAll(pattern)].some(([match]) => holds(match)),
  );
  return found?.category ?? null;
}

/** Word behind a field's name in its declaration. */
const declared =
  '(?:string|str|text|varchar|char|number|int|integer|uuid|any|unknown|null|required|optional|unique|true|false)';

/** A password behind its field's name: in a value, the head noun does not make it code. */
export const disclosurePatterns: readonly ForbiddenPattern[] = [
  {
    category: 'credentials',
    pattern:
      /\bpass ?(?:word|phrase|code)\b[^\n:=.;,]{0,30}(?:[:=]\s{0,3}|\bis\s{1,3}(?=["'`]))["'`]?(?!\d{1,4}\b)[^\s"'`]{4}/gi,
  },
  {
    category: 'credentials',
    pattern: /パス(?:ワード|フレーズ|コード)[^\n:=、。]{0,20}(?:[:=]|は)\s{0,3}["'「『]?[\x21-\x7e]{4}/g,
  },
  {
    category: 'credentials',
    pattern: new RegExp(
      `^\\s{0,3}(?:(?:user|account)[ _-]?name|(?:ユーザー?の?|アカウント)名)\\s{0,3}[:=]\\s{0,3}["'\`]?(?!${declared}\\b)[\\w.@-]{2,60}["'\`]?\\s{0,3}$`,
      'gi',
    ),
  },
];

/** Ends of hosts that mean nothing in code, where `this.logger.info` and `messages.locales.de` are no hosts. */
const domains = 'com|net|org|internal|lan|corp|intra|(?:co|ne|or|ac|go)\\.(?:jp|uk)';
/** The others count behind what begins hosts, or behind a hyphen, which no name in code has. */
const ambiguousDomains = 'io|jp|dev|app|cloud|local|home|de|uk|eu|us|info|biz';
const hostLabel = '[a-z0-9-]{1,63}';
const notConfig = '(?!(?:config|configs|settings|options|env|locales?|models?|utils)\\.)';

/**
 * Addresses where something runs. In a value only: a question may well name a page to read.
 */
export const environmentPatterns: readonly ForbiddenPattern[] = [
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
      `(?<![\\w.@/-])(?!(?:com|org|net|io|jp|dev|app|de)\\.)(?:(?:${hostLabel}\\.){2,6}(?:${domains})|(?:(?:www|api|db|smtp|mail|vpn|prod|staging)\\.|(?=[a-z0-9]{0,40}-)${hostLabel}\\.)${notConfig}(?:${hostLabel}\\.){1,5}(?:${ambiguousDomains}))(?![\\w.(-])`,
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

/** Sites that are the same for everybody, whatever stands before their names. */
const sites = [
  'github.com gitlab.com npmjs.com npmjs.org nodejs.org mozilla.org python.org pypi.org w3.org ietf.org rfc-editor.org',
  'json-schema.org schema.org wikipedia.org microsoft.com typescriptlang.org semver.org keepachangelog.com',
  'conventionalcommits.org docs.rs crates.io rubygems.org go.dev openapis.org spdx.org editorconfig.org opensource.org',
  'apache.org vitest.dev vite.dev react.dev reactjs.org vuejs.org angular.dev svelte.dev djangoproject.com schemastore.org',
  'jestjs.io eslint.org typescript-eslint.io prettier.io biomejs.dev nextjs.org expressjs.com fastify.dev zod.dev pnpm.io',
  'yarnpkg.com playwright.dev storybook.js.org webpack.js.org babeljs.io rollupjs.org tailwindcss.com getbootstrap.com',
  'lodash.com stackoverflow.com readthedocs.io readthedocs.org rust-lang.org golang.org kubernetes.io ruby-lang.org',
  'rubyonrails.org php.net laravel.com spring.io kotlinlang.org swift.org dart.dev flutter.dev postgresql.org sqlite.org',
  'graphql.org jsonapi.org oauth.net swagger.io modelcontextprotocol.io whatwg.org tc39.es ecma-international.org',
  'unicode.org iana.org iso.org gnu.org creativecommons.org caniuse.com contributor-covenant.org qiita.com zenn.dev',
]
  .join(' ')
  .split(' ');
const isSite = new RegExp(`(?:^|\\.)(?:${sites.join('|').replaceAll('.', '\\.')})$`);
/** Reserved for examples, or by its name for those who read. @see RFC 2606 §3 */
const isForReaders =
  /^example\.(?:com|org|net)$|^(?:docs|developers?|www)\.(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}$/;
const isPrivate = /\.(?:internal|local|localdomain|lan|corp|intra|home|test)$|^docs\.google\.com$/;

/** Tells whether a host is the same for everybody; every other one belongs to somebody's environment. */
function isPublicSite(host: string): boolean {
  const name = host.toLowerCase();
  return isSite.test(name) || (isForReaders.test(name) && !isPrivate.test(name));
}

const prefectures = '(?:東京都|北海道|大阪府|京都府|\\p{Script=Han}{2,3}県)';
const streets = 'Street|St\\.|Avenue|Ave\\.?|Road|Rd\\.|Boulevard|Blvd|Lane|Drive';

/** Data of a person: addresses, numbers to call, to pay with and to be known by. */
export const personalPatterns: readonly ForbiddenPattern[] = [
  { category: 'personal-data', pattern: /(?<=[\w.+-])(?<!\bgit)@[A-Za-z0-9-]{1,63}\.[A-Za-z]{2}/g },
  {
    category: 'personal-data',
    // Numbers to call begin with 0 or a country, or are written as in North America.
    pattern:
      /(?<![\w.+-])(?:\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}|(?:0\d{1,4}[ -]|\(0\d{1,4}\)[ -]?)\d{1,4}[ -]\d{3,4}|0[1-9]\d{8}|0[5-9]0\d{8}|\(?[2-9]\d{2}\)?[ -]\d{3}[ -]\d{4})(?![\w-])/g,
    holds: (found) => found !== '0123456789' && found.replace(/\D/g, '').length >= 9,
  },
  {
    category: 'personal-data',
    pattern: /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-])/g,
    holds: hasLuhnDigit,
  },
  // My Number, with or without its check digit; twelve digits that begin with a year of this century are a time.
  {
    category: 'personal-data',
    pattern: /(?<![\w.-])(?!20\d{2}[01]\d[0-3]\d)\d{4}[ -]?\d{4}[ -]?\d{4}(?![\w-])/g,
  },
  { category: 'personal-data', pattern: /(?<![\w.-])\d{3}-\d{2}-\d{4}(?![\w-])/g },
  {
    category: 'personal-data',
    pattern: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g,
    holds: hasIbanDigits,
  },
  { category: 'personal-data', pattern: /〒\s?\d{3}/g },
  {
    category: 'personal-data',
    pattern: new RegExp(
      `${prefectures}[^\\s、。]{1,30}\\d{1,4}(?:-|丁目|番)\\d?|[市区町村]\\p{L}{1,12}\\d{1,4}(?:丁目|番地|-\\d{1,4}-\\d)|\\b\\d{1,5} (?:[A-Z]\\w{1,20} ){1,3}(?:${streets})(?!\\w)`,
      'gu',
    ),
  },
];

/** Tells whether the last digit fits the others, as on cards. @see ISO/IEC 7812-1, annex B */
function hasLuhnDigit(number: string): boolean {
  const digits = [...number.replace(/\D/g, '')].toReversed().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit : 2 * digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return digits.length >= 13 && sum % 10 === 0;
}

/** Tells whether an account's number fits its check digits. @see ISO 13616-1 */
function hasIbanDigits(account: string): boolean {
  const letters = account.replaceAll(' ', '');
  const moved = letters.slice(4) + letters.slice(0, 4);
  const digits = [...moved].map((letter) => Number.parseInt(letter, 36)).join('');
  return [...digits].reduce((rest, digit) => (10 * rest + Number(digit)) % 97, 0) === 1;
}
