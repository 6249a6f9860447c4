import type { SecretForm } from './secret-forms.ts';

/**
 * Forms that say by a name that a secret follows: the name stays. Quotes may be those of JSON within JSON, as in a line of a
 * log, and a secret ends before them.
 */
export const namedForms: readonly SecretForm[] = [
  {
    kind: 'authorization',
    pattern: /\b(?:Bearer|Basic|token)[ \t]{1,4}(?<secret>[A-Za-z0-9+/._~-]{16,4096}={0,2})/gi,
    holds: (secret) => /\d/.test(secret),
  },
  {
    kind: 'password',
    pattern:
      /(?:password|passwd|pwd|passphrase)[\\"'`\]]{0,5}[ \t]{0,4}(?:=>|:=|[=:])[ \t]{0,4}[\\"'`]{0,4}(?<secret>(?:[^\s"'`,;\\]|\\(?![\\"'`])){4,256})/gi,
    holds: isLiteral,
  },
  {
    kind: 'password',
    pattern: /パスワード[ \t]{0,4}[=:：][ \t]{0,4}(?<secret>(?:[^\s"',;、。\\]|\\(?![\\"'])){4,256})/g,
  },
  {
    kind: 'password',
    pattern:
      /(?:[A-Za-z0-9]_pass|[a-z0-9]Pass)[\\"'`\]]{0,5}[ \t]{0,4}(?:=>|:=|[=:])[ \t]{0,4}[\\"'`]{0,4}(?<secret>(?:[^\s"'`,;\\]|\\(?![\\"'`])){6,256})/gi,
    holds: isPassword,
  },
  {
    kind: 'password',
    pattern: /\b(?:PASSWORD|IDENTIFIED\s{1,4}BY)\s{1,4}['"](?<secret>[^'"\n]{4,256})(?=['"])/gi,
    holds: isLiteral,
  },
  {
    kind: 'secret by its name',
    pattern:
      /(?:(?:secret|api|access|account|private|encryption|signing|master|shared|session|service|auth|hmac|jwt|webhook|license|storage)[_-]?key(?:[_-]?base)?|secret|token|credentials?|_auth|sig)(?:[_-]?v?\d{1,2})?[\\"'`\]]{0,5}[ \t]{0,4}(?:=>|:=|[=:])[ \t]{0,4}[\\"'`]{0,4}(?<secret>[\w+/.~%-]{8,512}={0,2})/gi,
    holds: isRandom,
  },
  {
    kind: 'secret by its name',
    pattern:
      /(?:key(?:[_-]?base)?|secret|token|credentials?|pass(?:word|wd|phrase)?|pwd)(?:[_-]?v?\d{1,2})?(?:>|[\\"']{0,4},?\s{1,8}[\\"']{0,4}value[\\"']{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"'`]{0,4}|[\\"']{1,4},[ \t]{0,4}[\\"']{1,4}value[\\"']{1,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"']{0,4})(?<secret>[\w+/.~%-]{8,512}={0,2})/gi,
    holds: isRandom,
  },
  {
    kind: 'secret of a command',
    pattern:
      /(?<![\w-])--?[\w-]{0,40}(?:key(?:[_-]?base)?|secret|token|credentials?|pass(?:word|wd|phrase)?|pwd)(?:[_-]?v?\d{1,2})?[ \t]{1,4}["']?(?<secret>[^\s"'`,;\\-][^\s"'`,;\\]{7,255})/gi,
    holds: isPassword,
  },
  {
    kind: 'secret of a command',
    pattern:
      /\b(?:mysql(?:dump|admin)?|mariadb|docker|podman|helm|sshpass|redis-cli|mongo(?:sh|dump|restore)?|sqlcmd|ldapsearch|az)(?=[ \t])[^\n"'`|;&]{0,200}?[ \t]-[pPaw][ \t]{0,2}["']?(?<secret>[^\s"'`,;\\-][^\s"'`,;\\]{7,255})/g,
    holds: isPassword,
  },
  {
    kind: 'secret of a command',
    pattern:
      /(?<![\w-])(?:-u|--user|--proxy-user|-U)[ \t=]{0,2}["']?[\w.@%+-]{1,128}:(?<secret>[^\s"'`,;\\]{6,256})/g,
    holds: isPassword,
  },
  {
    kind: 'session',
    pattern:
      /(?:session(?:[_-]?id|[_-]?token)?|connect\.sid|\bsid|PHPSESSID|JSESSIONID|_sess|user_session)=(?<secret>[\w%.+/~-]{16,4096})/gi,
    holds: isRandom,
  },
  {
    kind: 'password in an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?<secret>[^\s/@:"'<>`]{0,256}:[^\s/@"'<>`]{1,256})(?=@)/gi,
    holds: (secret) => isLiteral(secret.slice(secret.indexOf(':') + 1)),
  },
  {
    kind: 'password of a .netrc',
    pattern:
      /\blogin\s{1,8}\S{1,128}\s{1,8}(?:password|account)\s{1,8}(?<secret>(?:[^\s"\\]|\\(?!["\\])){4,256})/gi,
  },
  {
    kind: 'password of a .pgpass',
    pattern:
      /(?<![\w.*-])(?:localhost|\*|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):(?:\d{1,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?<secret>(?:[^\s"'`,\\]|\\(?![\\"'`])){4,256})/g,
  },
];

/** Code that reads a value, and what stands for one in an example, is none. */
function isLiteral(value: string): boolean {
  return !/[()[\]{}<>$]|^[A-Za-z_]+(?:\.[A-Za-z_]+)+$|\*{3}|^(?:null|undefined|true|false|string|String|None|nil)$/.test(
    value,
  );
}

/** Names and words have no digits among their letters; hashes of files say what they are. */
function isDrawnByChance(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^(?:sha\d{1,3}[-:]|v?\d+(?:\.\d+)+)/.test(value);
}

function isRandom(value: string): boolean {
  return isLiteral(value) && isDrawnByChance(value);
}

/** A password that stands without a sign before it: numbers, words and paths are none. */
function isPassword(value: string): boolean {
  return (
    isLiteral(value) &&
    /[A-Za-z]/.test(value) &&
    /\d/.test(value) &&
    !/^(?:[./~]|https?:)|\/[^/]+\//.test(value)
  );
}
