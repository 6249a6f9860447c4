import type { ForbiddenPattern } from './forbidden-patterns.ts';

const databases =
  'postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|mssql|sqlserver|sqlite|oracle|cockroachdb|clickhouse|amqps?|jdbc:\\w{1,20}';

/**
 * Credentials and connections of databases, wherever they stand, beyond what `findSecretForms` knows for a secret: what is
 * never assumed is more than what is hidden. A public key is no secret, and a run of random letters may be anything.
 */
export const secretPatterns: readonly ForbiddenPattern[] = [
  {
    category: 'credentials',
    // The claims of a token without its signature are told to nobody either.
    pattern: /\beyJ[\w-]{8,400}\.[\w-]{8}|\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA/g,
  },
  { category: 'credentials', pattern: /\bBasic\s{1,5}[A-Za-z0-9+/]{4,400}={0,2}/gi, holds: isBasic },
  {
    category: 'credentials',
    pattern: /[A-Za-z0-9+/_-]{28,200}(?:\.[A-Za-z0-9]{1,8}){0,3}/g,
    // What a lock file says of a package is no secret.
    holds: (found) => !/^sha\d{1,3}-/.test(found) && isRandom(found),
  },
  { category: 'database', pattern: new RegExp(`\\b(?:${databases}):\\/\\/?`, 'gi') },
  { category: 'credentials', pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:[^\s/@]{1,100}@/gi },
  {
    category: 'database',
    pattern:
      /\b(?:server|data source|host|address)\s{0,5}=[^;()\n]{1,100};\s{0,5}(?:database|initial catalog|uid|user id|pwd|trusted_connection|integrated security)\s{0,5}=|\bhost=\S{1,100} (?:port|user|dbname)=|\bdbname=/gi,
  },
  {
    category: 'credentials',
    pattern:
      /\b(?:user(?:name)?|uid|login)\s{0,3}[=:]\s{0,3}[^\s;&,]{1,60}[\s;&,]{1,3}(?:pass|pw)\s{0,3}[=:]|\b(?:pass|pw)\s?=\s?(?!\d{1,9}\b|true\b|false\b)[^\s;&,]/gi,
  },
  { category: 'security', pattern: /\barn:aws[a-z-]{0,10}:iam::/g },
];

/** Names and words between a colon, as HTTP sends them; "Basic configuration" is none. @see RFC 7617 §2 */
function isBasic(found: string): boolean {
  const coded = found.replace(/^Basic\s+/i, '').replace(/(?<!=)=+$/, '');
  const decoded = decode(coded.slice(0, coded.length - (coded.length % 4 === 1 ? 1 : 0)));
  return /^[\x20-\x7e]{0,300}:[\x20-\x7e]{0,300}$/.test(decoded);
}

function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

/**
 * Tells whether a run of letters and digits is drawn by chance rather than named: it has digits and both cases, and they take
 * turns so often that no words fit between. `CreateUserAccountRequestHandlerV2` is a name. What is written as a file's
 * path or a branch has many short words: only a long part of it can be drawn by chance.
 */
function isRandom(run: string): boolean {
  if (!codePlace.test(run)) return isMixed(run.split('.', 1).join(''));
  return run.split(/[/_.-]/).some((part) => part.length >= leastSecretLength && isMixed(part));
}

const extensions =
  '[cm]?[jt]sx?|json[5c]?|ya?ml|toml|md|mdx|txt|html?|s?css|less|vue|svelte|py|rb|go|rs|java|kts?|swift|cs|php|sql|sh|xml|svg|snap|lock';
const codePlace = new RegExp(
  `/.*\\.(?:${extensions})$|^(?:feat|feature|features|fix|bug|bugfix|hotfix|release|chore|docs|refactor|test|ci|task|issue|topic|support)/`,
);
/** Length of a part of a path; shorter ones are too common as names. */
const leastSecretLength = 16;

function isMixed(run: string): boolean {
  if (!(/\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run))) return false;
  const parts = run.split(/[/_+-]/).filter((part) => part.length > 2);
  const pieces = parts.flatMap((part) => part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []);
  const letters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return letters / pieces.length < leastNameLength;
}

/** Length of the pieces of a name, on average; those of random text have fewer than 2. */
const leastNameLength = 2.6;

const begins = '(?<![\\w.-])';
const ends = '(?![\\w-])';
const codeExtensions = '[cm]?[jt]sx?|py|rb|go|rs|java|kts?|swift|cs|php|md';

/** Places where secrets are kept, as parameters of tools name files; code that deals with secrets is none of them. */
export const secretPlaces: readonly ForbiddenPattern[] = [
  {
    category: 'environment',
    pattern: new RegExp(
      `${begins}\\.env(?:rc)?(?!\\.(?:example|sample|template|dist|defaults?|schema)${ends})${ends}|/proc/\\w{1,10}/environ`,
      'gi',
    ),
  },
  {
    category: 'credentials',
    pattern: new RegExp(
      [
        `\\.(?:pem|p12|pfx|jks|keystore|ppk|kdbx)${ends}|[/\\\\][\\w.-]{1,60}\\.key${ends}|\\b(?:server|private|tls|ssl|host|client|ca|cert|deploy|prod)[\\w-]{0,30}\\.key${ends}`,
        `\\bid_(?:rsa|dsa|ecdsa|ed25519)${ends}|\\.(?:ssh|gnupg|aws)[/\\\\]|\\.kube[/\\\\]config|\\bkubeconfig${ends}`,
        `${begins}(?:\\.netrc|\\.npmrc|\\.pypirc|\\.pgpass|\\.my\\.cnf|\\.htpasswd|\\.git-credentials|\\.vault-token|\\.dockercfg)${ends}|\\.docker[/\\\\]config\\.json|/etc/(?:passwd|shadow)\\b`,
        `${begins}(?:client[_-]?)?(?:credentials?|secrets?)(?:\\.(?:ya?ml|json|toml|ini|csv|txt|enc|conf|properties))${ends}|${begins}(?:secrets?|credentials?)[/\\\\](?![\\w./\\\\-]{0,100}\\.(?:${codeExtensions})${ends})|${begins}credentials$`,
        `\\bservice[_-]?account[\\w-]{0,30}\\.json|\\bmaster\\.key${ends}|\\bkeychain-db\\b`,
      ].join('|'),
      'gi',
    ),
  },
];
