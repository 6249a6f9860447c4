import { describe, expect, it } from 'vitest';
import { createKnownSecrets, findSecrets, isHideable, replaceSecrets, scanSecrets } from './index.ts';

// Put together here, so that scanners of this repository find nothing.
const join = (...parts: readonly string[]) => parts.join('');
/** Characters as issuers draw them: digits and both cases, the same at each run. */
const drawn = (count: number) => 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'.repeat(20).slice(0, count);
const hex = (count: number) => '9f8e7d6c5b4a39281706f5e4d3c2b1a0'.repeat(8).slice(0, count);
const upper = (count: number) => drawn(count).toUpperCase();

const known = createKnownSecrets([]);
const find = async (text: string) => [...findSecrets(text, known), ...(await scanSecrets(text))];
const clean = (text: string) => replaceSecrets(text, findSecrets(text, known));

const forms: readonly (readonly [name: string, ...parts: readonly string[]])[] = [
  ['GitHub, classic', 'ghp', '_', drawn(36)],
  ['GitHub, OAuth', 'gho', '_', drawn(36)],
  ['GitHub, app of a user', 'ghu', '_', drawn(36)],
  ['GitHub, app', 'ghs', '_', drawn(36)],
  ['GitHub, refresh', 'ghr', '_', drawn(36)],
  ['GitHub, fine-grained', 'github', '_pat_', drawn(22), '_', drawn(59)],
  ...['pat', 'dt', 'rt', 'cbt', 'ptt', 'ft', 'imt', 'agent', 'soat', 'oas', 'ffct', 'wt'].map(
    (part) => [`GitLab, gl${part}`, 'gl', `${part}-`, drawn(20)] as const,
  ),
  ['OpenAI', 'sk', '-proj-', drawn(48)],
  ['Anthropic', 'sk', '-ant-api03-', drawn(90)],
  ['OpenRouter', 'sk', '-or-v1-', hex(64)],
  ['Groq', 'gsk', '_', drawn(52)],
  ['xAI', 'xai', '-', drawn(80)],
  ['Perplexity', 'pplx', '-', drawn(48)],
  ['Hugging Face', 'hf', '_', drawn(34)],
  ['Replicate', 'r8', '_', drawn(37)],
  ['npm', 'npm', '_', drawn(36)],
  ['PyPI', 'pypi', '-AgEIcHlwaS5vcmc', drawn(60)],
  ['RubyGems', 'rubygems', '_', hex(48)],
  ['crates.io', 'cio', drawn(32)],
  ['Docker Hub', 'dckr', '_pat_', drawn(27)],
  ['AWS key', 'AKIA', upper(16)],
  ['AWS session', 'ASIA', upper(16)],
  ['AWS secret key, by its name', 'aws_secret_', 'access_key = ', drawn(40)],
  ['Google API', 'AIza', drawn(35)],
  ['Google OAuth', 'ya29', '.', drawn(60)],
  ['Google client secret', 'GOCSPX', '-', drawn(28)],
  ['Google refresh', '1//', '0', drawn(60)],
  ['Azure storage', 'DefaultEndpointsProtocol=https;Account', 'Key=', drawn(86), '=='],
  ['Azure client secret', 'Ab1', '8Q~', drawn(34)],
  ['Azure SAS', 'https://x.blob.core.windows.net/c?se=2030&si', 'g=', drawn(40), '%3D'],
  ['Stripe', 'sk', '_live_', drawn(24)],
  ['Stripe, restricted', 'rk', '_live_', drawn(24)],
  ['Stripe webhook', 'whsec', '_', drawn(32)],
  ['SendGrid', 'SG', '.', drawn(22), '.', drawn(43)],
  ['Slack bot', 'xoxb', '-123456789012-1234567890123-', drawn(24)],
  ['Slack app', 'xapp', '-1-A012345-123456-', hex(64)],
  ['Slack webhook', 'https://hooks.slack', '.com/services/T0123ABCD/B0123ABCD/', drawn(24)],
  ['Discord bot', 'M', drawn(25), '.', drawn(6), '.', drawn(38)],
  ['Discord webhook', 'https://discord', '.com/api/webhooks/123456789012345678/', drawn(68)],
  ['Telegram', '123456789', ':AA', drawn(33)],
  ['bare JWT', 'eyJ', drawn(20), '.eyJ', drawn(30), '.', drawn(43)],
  ['Vault', 'hvs', '.', drawn(24)],
  ['Terraform', drawn(14), '.atlas', 'v1.', drawn(67)],
  ['Fly', 'fo1', '_', drawn(43)],
  ['DigitalOcean', 'dop', '_v1_', hex(64)],
  ['Databricks', 'dapi', hex(32)],
  ['Shopify', 'shpat', '_', hex(32)],
  ['Linear', 'lin', '_api_', drawn(40)],
  ['Notion', 'ntn', '_', drawn(46)],
  ['Figma', 'figd', '_', drawn(40)],
  ['Grafana', 'glsa', '_', drawn(32), '_', hex(8)],
  ['Sentry', 'sntrys', '_', drawn(60)],
  ['Doppler', 'dp', '.pt.', drawn(43)],
  ['PlanetScale', 'pscale', '_tkn_', drawn(43)],
  ['Supabase', 'sbp', '_', hex(40)],
  ['Atlassian', 'ATATT', '3xFfGF0', drawn(60)],
  ['Tailscale', 'tskey', '-auth-', drawn(30)],
  ['Postman', 'PMAK', '-', hex(24), '-', hex(34)],
  ['Mailgun', 'key', '-', hex(32)],
  ['Twilio', 'SK', hex(32)],
  ['New Relic', 'NRAK', '-', upper(27)],
  ['Mapbox', 'sk', '.eyJ', drawn(60), '.', drawn(22)],
  ['secret=', 'client_sec', 'ret=', drawn(20)],
  ['API_KEY=', 'MY_API_', 'KEY=', drawn(20)],
  ['token:', 'tok', 'en: ', drawn(20)],
  ['a token in JSON', '"access_tok', 'en": "', drawn(20)],
  ['.npmrc', '//registry.example.org/:_auth', 'Token=', drawn(36)],
  ['.netrc', 'machine example.org login bot pass', 'word ', drawn(12)],
  ['.pgpass', 'db.example.org:5432:shop:bot:', drawn(12)],
  ['a password', 'pass', 'word: ', drawn(12)],
  ['a password in an address', 'postgres://', 'bot:', drawn(12), '@db.example.org/shop'],
  ['a bearer', 'Authorization: Bea', 'rer ', drawn(30)],
  ['PEM', '-----BEGIN', ' RSA PRIVATE KEY-----\n', drawn(60), '\n-----END', ' RSA PRIVATE KEY-----'],
  ['OpenSSH', '-----BEGIN', ' OPENSSH PRIVATE KEY-----\n', drawn(60)],
  [
    'PGP',
    '-----BEGIN',
    ' PGP PRIVATE KEY BLOCK-----\n\n',
    drawn(60),
    '\n-----END',
    ' PGP PRIVATE KEY BLOCK-----',
  ],
  ['age', 'AGE-SECRET', '-KEY-1', upper(58)],
];

describe('what is written as secrets are', () => {
  it.each(forms)('is found: %s [NX-37]', (_, ...parts) => {
    const secret = join(...parts);
    for (const text of [secret, `see "${secret}", please`, `before\n${secret}\nafter`]) {
      const cleaned = clean(text);
      expect(cleaned).toContain('[REDACTED]');
      // Nothing drawn is left.
      expect(cleaned).not.toMatch(/dE5fG7hJ9|DE5FG7HJ9|8e7d6c5b/);
    }
  });

  it.each([
    'const password = req.body.password;',
    'return check({ user, password: req.body.password });',
    'form = { password: String, pwd: process.cwd() }',
    'const url = `postgres://\u0024{user}:\u0024{password}@db/app`;',
    'GITHUB_TOKEN: \u0024{{ secrets.GITHUB_TOKEN }}',
    'token = process.env.API_TOKEN ?? null; const apiKey = readKey(config);',
    '"integrity": "sha512-9f8e7d6c5b4a39281706f5e4d3c2b1a0+/aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY=="',
    '.sk-loading-indicator-wrapper { animation: sk-circle-fade-dot-delay 1s }',
    'commit 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c, task-1234567890123456789',
    'The tokenizer reads "password" fields; see https://example.org:8080/a@b and the bearer of news.',
  ])('is not what code looks like: %s [NX-37]', async (text) => {
    expect(await find(text)).toEqual([]);
  });

  it('is found by the scanner whatever the text asks of it [NX-37]', async () => {
    const text = join('<!-- secretlint-disable -->\n', 'ghp', '_', drawn(36));
    expect((await scanSecrets(text)).length).toBeGreaterThan(0);
  });

  it('is looked for in linear time', () => {
    for (const text of [
      'a'.repeat(1e6),
      'https://a:'.repeat(1e5),
      'Bearer '.repeat(1e5),
      'eyJ-'.repeat(2.5e5),
      '-----BEGIN '.repeat(1e5),
    ])
      expect(clean(text).length).toBeGreaterThan(0);
  });
});

describe('a secret of this process', () => {
  const secret = join('glpat', '-x9Yz8Wv7+Ut6/Sr5Qp4');
  const own = createKnownSecrets([secret]);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const spellings: readonly (readonly [string, string])[] = [
    ['plain', secret],
    ['in JSON', JSON.stringify({ secret })],
    ['in an address', encodeURIComponent(secret)],
    ['base64, first alignment', base64(secret)],
    ['base64, second alignment', base64(`a${secret}b`)],
    ['base64, third alignment', base64(`ab${secret}c`)],
    ['base64url', Buffer.from(`x:${secret}`).toString('base64url')],
    ['login of GitHub', base64(`x-access-token:${secret}`)],
    ['login of GitLab', base64(`oauth2:${secret}`)],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
  ];

  it.each(spellings)('is hidden from the model %s [NX-36]', (_, text) => {
    const hidden = own.hide(`before ${text} after`);
    expect(hidden).toMatch(/^before .*\[REDACTED\].* after$/);
    expect(hidden).not.toContain(text);
  });

  it.each<readonly [string, string]>([
    ...spellings,
    ['in upper case', secret.toUpperCase()],
    ['hexadecimal in upper case', Buffer.from(secret).toString('hex').toUpperCase()],
    ['its first half', secret.slice(0, 12)],
    ['its second half', secret.slice(12)],
  ])('does not leave %s [NX-37]', (_, text) => {
    expect(replaceSecrets(`before ${text} after`, own.find(`before ${text} after`))).not.toContain(text);
  });

  it('is no ordinary word: a short value hides nothing [NX-36]', () => {
    expect(['ollama', 'lm-studio', 'x', ''].filter(isHideable)).toEqual([]);
    const { hide, find } = createKnownSecrets(['ollama', '', 'ab']);
    expect(hide('import ollama; abc')).toBe('import ollama; abc');
    expect(find('import ollama; abc')).toEqual([]);
  });
});
