import { gzipSync } from 'node:zlib';
import { secretRemains, secretSamples } from './secret-samples.ts';

/** A secret as it stands in a text: its class, the text, and the part of it that must not remain. */
export interface SecretCase {
  readonly issuer: string;
  readonly context: string;
  readonly escape: string;
  readonly encoding: string;
  readonly text: string;
  readonly core: string;
}

type Named<Value> = readonly (readonly [name: string, value: Value])[];

const contexts: Named<(secret: string) => string> = [
  ['alone', (secret) => secret],
  ['sentence', (secret) => `The key is ${secret}.`],
  ['log line', (secret) => `2026-11-28T10:00:00Z INFO sent ${secret}, 200 OK`],
  ['double quotes', (secret) => `const key = "${secret}";`],
  ['single quotes', (secret) => `use '${secret}' here`],
  ['code span', (secret) => `use \`${secret}\` here`],
  ['JSON', (secret) => `{"output":"${secret}"}`],
  ['JSON in JSON', (secret) => `{"line":"{\\"output\\":\\"${secret}\\"}"}`],
  ['variable', (secret) => `VALUE=${secret}`],
  ['YAML', (secret) => `value: ${secret}\nother: 1`],
  ['path of an address', (secret) => `https://example.org/x/${secret}`],
  ['query of an address', (secret) => `https://example.org/?a=1&b=${secret}&c=2`],
  ['login of an address', (secret) => `https://bot:${secret}@example.org/x.git`],
  ['link', (secret) => `[a](https://example.org "${secret}")`],
  ['image text', (secret) => `![${secret}](a.png)`],
  ['table', (secret) => `|a|b|\n|-|-|\n|${secret}|1|`],
  ['bold', (secret) => `**${secret}**`],
  ['italic', (secret) => `_${secret}_`],
  ['element', (secret) => `<b>${secret}</b>`],
  ['attribute', (secret) => `<a title='${secret}'>`],
  ['HTML comment', (secret) => `<!--${secret}-->`],
  ['diff', (secret) => `@@ -1 +1 @@\n+${secret}\n-x`],
  ['CSV', (secret) => `a,${secret},b`],
  ['call', (secret) => `login(${secret})`],
  ['list', (secret) => `[${secret}]`],
  ['Japanese', (secret) => `鍵は${secret}です`],
  ['branch', (secret) => `agent/${secret}`],
];

const escaped: readonly string[] = [
  ...['\\n', '\\t', '\\r\\n', '\\\\n', '\\\\\\\\n', '\\u000a', '\\\\u000a', '\\x0a', '\\012', '\\0', '\\"'],
  ...['%0A', '%0D%0A', '%20', '%22', '%3D', '%250A', '%2F', '&#10;', '&#x22;', '&quot;', '&lt;', '&nbsp;'],
  ...['\\u001b[32m', '\\u001B[1;32m', '\\\\u001b[32m', '\\033[32m', '\\x1b[0;32m', '\\e[32m', '\\u{1b}[32m'],
  ...['\u001b[32m', '\u001b[38;5;12m', '\u001b[K', '\u009b32m', '%1B[32m', '%1B%5B32m', '^[[32m', '[32m'],
  ...['\u001b]8;;https://example.org\u001b\\', '\u001b]0;title\u0007', '\u001b(B'],
];

/** Text right before and after a secret; the same after another word, which it alone parts from the secret. */
const escapes: Named<(secret: string) => string> = [
  ['none', (secret) => secret],
  ...escaped.flatMap((one): Named<(secret: string) => string> => {
    return [
      [`${JSON.stringify(one)}`, (secret) => `${one}${secret}${one}`],
      [`word ${JSON.stringify(one)}`, (secret) => `env${one}${secret}${one}end`],
    ];
  }),
];

interface Encoding {
  readonly encode: (text: string) => string;
  /** Characters of the encoding that hold what is between two offsets of the text; default the encoded part. */
  readonly range?: (start: number, end: number) => readonly [number, number];
}

const bySign = (spell: (code: number, sign: string, at: number) => string): Encoding => ({
  encode: (text) => [...text].map((sign, at) => spell(sign.charCodeAt(0), sign, at)).join(''),
});
const hexOf = (code: number) => code.toString(16).padStart(2, '0');
const groups = (start: number, end: number) => [Math.ceil(start / 3) * 4, Math.floor(end / 3) * 4] as const;

const encodings: Named<Encoding> = [
  ['plain', { encode: (text) => text }],
  ['base64', { encode: (text) => Buffer.from(text).toString('base64'), range: groups }],
  ['base64url', { encode: (text) => Buffer.from(text).toString('base64url'), range: groups }],
  [
    'base64 of a login',
    {
      encode: (text) => Buffer.from(`me:${text}`).toString('base64'),
      range: (start, end) => groups(start + 3, end + 3),
    },
  ],
  ['hexadecimal', bySign(hexOf)],
  ['hexadecimal, upper case', bySign((code) => hexOf(code).toUpperCase())],
  ['percent', bySign((code) => `%${hexOf(code)}`)],
  ['JSON escapes', bySign((code) => `\\u00${hexOf(code)}`)],
  ['shell escapes', bySign((code) => `\\x${hexOf(code)}`)],
  ['references', bySign((code) => `&#${code};`)],
  ['zero width', bySign((_, sign) => `${sign}\u200b`)],
  ['colored prefix', bySign((_, sign, at) => (at === 3 ? `${sign}\u001b[m\u001b[K` : sign))],
];

/** Encodings that are not recognized; `SECURITY.md` lists them. */
const limits: Named<(secret: string) => string> = [
  ['reversed', (secret) => [...secret].reverse().join('')],
  ['spaced', (secret) => [...secret].join(' ')],
  ['joined', (secret) => secret.replace(/.{3}/g, "$&'+'")],
  ['compressed', (secret) => gzipSync(secret).toString('base64')],
];

const names = [
  ...[
    'SECRET',
    'CLIENT_SECRET',
    'clientSecret',
    'SECRET_KEY',
    'SECRET_KEY_BASE',
    'secretKey',
    'JWT_SECRET_KEY',
  ],
  ...[
    'ENCRYPTION_KEY',
    'encryptionKey',
    'SIGNING_KEY',
    'signing-key',
    'API_KEY',
    'apiKey',
    'apiKeyV2',
    'api_key_2',
  ],
  ...[
    'x-api-key',
    'MASTER_KEY',
    'accessKey',
    'AWS_SECRET_ACCESS_KEY',
    'AccountKey',
    'PRIVATE_KEY',
    'TOKEN',
    'token',
  ],
  ...[
    'access_token',
    'refreshToken',
    'GITHUB_TOKEN',
    'AUTH_TOKEN',
    'csrf-token',
    'credential',
    'CREDENTIALS',
  ],
  ...[
    'PASSWORD',
    'password',
    'DB_PASSWORD',
    'dbPassword',
    'DB_PASS',
    'dbPass',
    'passwd',
    'passphrase',
    'userPwd',
  ],
];
const syntaxes: Named<(name: string, value: string) => string> = [
  ['=', (name, value) => `${name}=${value}`],
  [' = ', (name, value) => `${name} = ${value}`],
  ['= quoted', (name, value) => `${name}="${value}"`],
  [': ', (name, value) => `${name}: ${value}`],
  [': quoted', (name, value) => `${name}: '${value}'`],
  ['JSON', (name, value) => `{"${name}": "${value}"}`],
  ['JSON in JSON', (name, value) => `"{\\"${name}\\":\\"${value}\\"}"`],
  ['=>', (name, value) => `'${name}' => '${value}'`],
  [':=', (name, value) => `${name} := "${value}"`],
  ['index', (name, value) => `config["${name}"] = "${value}"`],
  ['flag', (name, value) => `--${name} ${value}`],
  ['flag =', (name, value) => `--${name}=${value}`],
  ['element', (name, value) => `<${name}>${value}</${name}>`],
  ['name and value', (name, value) => `{"name":"${name}","value":"${value}"}`],
  ['YAML name and value', (name, value) => `- name: ${name}\n  value: ${value}`],
];

const drawn = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY';
const lines: Named<string> = [
  ['mysql -p', `mysql -u root -p${drawn} shop`],
  ['docker login -p', `docker login -u bot -p ${drawn} example.org`],
  ['sshpass -p', `sshpass -p ${drawn} ssh a@example.org`],
  ['redis-cli -a', `redis-cli -h db -a ${drawn} ping`],
  ['curl -u', `curl -u bot:${drawn} https://example.org`],
  ['curl --user', `curl --user 'bot:${drawn}' https://example.org`],
  ['wget --password', `wget --user bot --password ${drawn} https://example.org`],
  ['SQL PASSWORD', `CREATE USER bot WITH PASSWORD '${drawn}';`],
  ['SQL ENCRYPTED PASSWORD', `ALTER ROLE bot ENCRYPTED PASSWORD '${drawn}'`],
  ['SQL IDENTIFIED BY', `CREATE USER 'bot'@'%' IDENTIFIED BY '${drawn}';`],
  ['Cookie', `Cookie: theme=dark; session=${drawn}; a=b`],
  ['Set-Cookie', `Set-Cookie: connect.sid=s%3A${drawn}; Path=/; HttpOnly`],
  ['PHPSESSID', `PHPSESSID=${drawn.toLowerCase()}`],
  ['JSESSIONID', `;jsessionid=${drawn.toUpperCase()}`],
  ['user_session', `user_session=${drawn}_${drawn}`],
];

/** Samples that say by a name that a secret follows; the others are known by what they begin with. */
const byName = /^(?:AWS secret key|Azure (?:storage|SAS)|[^ ]+=|token:|a (?:token|password|bearer)|\.\w+)/;

const issued = secretSamples.filter(([name]) => !byName.test(name));

const named: Named<string> = [
  ...secretSamples.filter(([name]) => byName.test(name)),
  ...lines,
  ...names.flatMap((name) =>
    syntaxes.map(([syntax, write]) => [`${name} ${syntax}`, write(name, drawn)] as const),
  ),
];

/** All kinds of secrets in all contexts, with all escapes, in all encodings; `every` takes one of so many. */
export function* generateSecrets({ every }: { readonly every: number }): Generator<SecretCase> {
  let count = 0;
  for (const [issuer, secret] of issued) {
    const [start, end] = coreOf(secret);
    for (const [encoding, { encode, range }] of encodings) {
      const written = encode(secret);
      const [from, to] = range?.(start, end) ?? [
        encode(secret.slice(0, start)).length,
        encode(secret.slice(0, end)).length,
      ];
      for (const [escaping, around] of escapes)
        for (const [context, put] of contexts) {
          count += 1;
          if (count % every !== 0) continue;
          yield {
            issuer,
            context,
            escape: escaping,
            encoding,
            text: put(around(written)),
            core: written.slice(from, to),
          };
        }
    }
  }
  for (const [issuer, secret] of named) {
    const [start, end] = coreOf(secret);
    for (const [escaping, around] of escapes) {
      count += 1;
      if (count % every !== 0) continue;
      yield {
        issuer,
        context: 'by name',
        escape: escaping,
        encoding: 'plain',
        text: around(secret),
        core: secret.slice(start, end),
      };
    }
  }
}

/** Each issued secret in encodings that are not recognized. */
export const unrecognized: readonly SecretCase[] = issued.flatMap(([issuer, secret]) =>
  limits.map(([encoding, encode]) => {
    const written = encode(secret);
    return { issuer, context: 'alone', escape: 'none', encoding, text: written, core: written };
  }),
);

function coreOf(secret: string): readonly [number, number] {
  const found = new RegExp(secretRemains, 'i').exec(secret);
  if (found === null) throw new Error(`No drawn part in ${secret}`);
  return [found.index, found.index + found[0].length];
}
