import { describe, expect, it } from 'vitest';
import { makeNeed } from '../../test/collection-setup.ts';
import { findForbidden, findForbiddenNeed, findForbiddenValue } from './find-forbidden.ts';
import { toWords } from './to-words.ts';

describe('findForbidden', () => {
  it.each([
    ['the API key of the payment service', 'credentials'],
    ['apiKey', 'credentials'],
    ['STRIPE_API_KEYS', 'credentials'],
    ['dbPassword', 'credentials'],
    ['access tokens', 'credentials'],
    ['where tokens are kept', 'credentials'],
    ['pass\u200bword', 'credentials'],
    ['ｐａｓｓｗｏｒｄ', 'credentials'],
    ['pássword', 'credentials'],
    ['раsswоrd', 'credentials'],
    ['config/secrets.yml', 'credentials'],
    ['PostgreSQL connection string', 'database'],
    ['DATABASE_URL', 'database'],
    ['the DSN', 'database'],
    ['environment variables', 'environment'],
    ['.env', 'environment'],
    ['production URL', 'environment'],
    ['the host name of the server', 'environment'],
    ["the customer's email address", 'personal-data'],
    ['dateOfBirth', 'personal-data'],
    ['phone numbers', 'personal-data'],
    ['security level', 'security'],
    ['CORS settings', 'security'],
    ['configuration of the TLS', 'security'],
    ['authorization_rules', 'security'],
    ['APIキーの値', 'credentials'],
    ['アクセストークン', 'credentials'],
    ['パスワードの規則', 'credentials'],
    ['認証情報', 'credentials'],
    ['ﾊﾟｽﾜｰﾄﾞ', 'credentials'],
    ['データベースの接続文字列', 'database'],
    ['DB接続先', 'database'],
    ['環境変数の一覧', 'environment'],
    ['本番環境のURL', 'environment'],
    ['利用者のメールアドレス', 'personal-data'],
    ['担当者の氏名', 'personal-data'],
    ['セキュリティ設定', 'security'],
    ['アクセス権の範囲', 'security'],
  ])('finds %j [PP-27] [E7]', (text, category) => {
    expect(findForbidden(text)).toBe(category);
  });

  it.each([
    'the tokenizer',
    'tokenize(text)',
    'max_tokens',
    'token limit',
    'the secretary',
    'passing tests',
    'compass words',
    'keyboard keys',
    'a monkey patch',
    'the environment of the species',
    'lib/envelope.ts',
    'database layer in src/store',
    'how authors are listed',
    'importance',
    'トークナイザー',
    'トークン数',
    'テストの配置',
    'キーワード検索',
    '認証機能の実装箇所',
    'ディレクトリ構成',
  ])('leaves %j alone: words count, not parts of words [PP-27] [E7]', (text) => {
    expect(findForbidden(text)).toBeNull();
  });
});

describe('findForbiddenNeed', () => {
  it.each([
    { id: 'db_password' },
    { description: 'the API token' },
    { purpose: 'to know the credentials' },
    { collection_method: { tool: 'read', parameters: { deep: [{ path: 'config/.env' }] } } },
    { collection_method: { tool: 'read', parameters: { apiKey: true } } },
    { default_assumption: 'postgres://localhost/app' },
  ])('looks at %j, whatever its id is [PP-27] [E7]', (fields) => {
    expect(findForbiddenNeed(makeNeed('info_1', fields))).not.toBeNull();
  });

  it('lets an item be of which nothing is forbidden [PP-27]', () => {
    expect(findForbiddenNeed(makeNeed('info_1', { default_assumption: 'src/index.ts' }))).toBeNull();
  });
});

describe('findForbiddenValue', () => {
  it.each([
    ['ghp_0123456789abcdefghij', 'credentials'],
    ['sk-proj-0123456789abcdefghij', 'credentials'],
    ['AKIAIOSFODNN7EXAMPLE', 'credentials'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'credentials'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0', 'credentials'],
    ['q9Zt4Lm2Xv8Kc1Bn7Hy3Rw6Pd5Fs', 'credentials'],
    ['https://bot:pw@example.org/repo', 'credentials'],
    ['postgresql://db/app', 'database'],
    ['Server=db;Database=app;', 'database'],
    ['mona@example.org', 'personal-data'],
    ['+81 90-1234-5678', 'personal-data'],
    ['10.0.0.7', 'environment'],
    ['the password is "apple"', 'credentials'],
  ])('knows %j for what it is [PP-27] [E7]', (value, category) => {
    expect(findForbiddenValue(value)).toBe(category);
  });

  it.each([
    'src/total.js',
    'Vitest, beside the sources',
    'Node 24.21.0',
    '2026-11-22',
    'ESLintの設定に従う',
    'calculateTotal',
  ])('takes %j for a value like any other [PP-27]', (value) => {
    expect(findForbiddenValue(value)).toBeNull();
  });

  it('does not take long over hostile text', () => {
    for (const pattern of ['a', 'A1a', 'a@', '1-', 'http://a:', 'password ', 'key=', '\u200b']) {
      expect(() => findForbiddenValue(pattern.repeat(200_000))).not.toThrow();
    }
  });
});

describe('toWords', () => {
  it('takes identifiers apart', () => {
    expect(toWords('HTTPServer_apiKey2 user-name.ts')).toBe('http server api key 2 user name ts');
  });
});
