import type { ForbiddenForm } from './forbidden-form.ts';
import { isRandom } from './is-random.ts';

/**
 * What issuers put before their keys. A table and not a library: those that know such forms scan files and bring
 * thousands of rules, where a field of a plan is judged many times a second.
 * @see https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 * @see https://docs.gitlab.com/security/tokens/#token-prefixes
 * @see https://docs.stripe.com/keys, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
 */
const issued = [
  'gh[opsur]_\\w{16}|github_pat_\\w{16}|gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-[\\w-]{16}',
  'sk-[\\w-]{16}|[rs]k_(?:live|test)_\\w{3}|whsec_\\w{16}|xox[abeoprs]-[\\w-]{8}|xapp-\\d-\\w{8}',
  'A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\\w-]{30}|ya29\\.[\\w-]{16}|GOCSPX-[\\w-]{16}|SG\\.[\\w-]{3,64}\\.[\\w-]{3}',
  'npm_[A-Za-z0-9]{16}|hf_[A-Za-z0-9]{16}|pypi-[\\w-]{16}|dckr_pat_[\\w-]{16}|dop_v1_\\w{16}|hv[sb]\\.[\\w-]{16}',
  'shp(?:at|ca|pa|ss)_\\w{16}|lin_api_\\w{16}|AGE-SECRET-KEY-1\\w{16}|AC[0-9a-f]{32}|key-[0-9a-f]{32}',
];
const databases =
  'postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|mssql|sqlserver|sqlite|oracle|cockroachdb|clickhouse|amqps?|jdbc:\\w{1,20}';

/** Credentials and connections of databases, wherever they stand: nobody may be told of them. */
export const secretForms: readonly ForbiddenForm[] = [
  { category: 'credentials', pattern: new RegExp(`\\b(?:${issued.join('|')})`, 'g') },
  {
    category: 'credentials',
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY|\beyJ[\w-]{8,400}\.[\w-]{8}|\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA/g,
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
  {
    category: 'credentials',
    pattern: /\bhooks\.slack\.com\/services\/\w|\bdiscord(?:app)?\.com\/api\/webhooks\/\d/gi,
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
