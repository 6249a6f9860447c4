import type { ForbiddenForm } from './forbidden-forms.ts';
import { isRandom } from './is-random.ts';

const databases =
  'postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|mssql|sqlserver|sqlite|oracle|cockroachdb|clickhouse|amqps?|jdbc:\\w{1,20}';

/**
 * Credentials and connections of databases, wherever they stand, beyond what `findSecretForms` knows for a secret: what is
 * never assumed is more than what is hidden. A public key is no secret, and a run of random letters may be anything.
 */
export const secretForms: readonly ForbiddenForm[] = [
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
