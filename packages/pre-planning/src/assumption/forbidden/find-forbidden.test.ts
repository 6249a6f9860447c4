import { describe, expect, it } from 'vitest';
import { makeNeed } from '../../../test/collection-setup.ts';
import { forbiddenTexts } from '../../../test/forbidden-texts.ts';
import { forbiddenValues } from '../../../test/forbidden-values.ts';
import { honestTexts, honestValues } from '../../../test/honest-texts.ts';
import { findForbidden, findForbiddenNeed, findForbiddenValue } from './find-forbidden.ts';

function toCases(rows: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(rows).flatMap(([category, texts]) => texts.map((text) => [text, category] as const));
}

describe('findForbidden', () => {
  it.each(toCases(forbiddenTexts))('finds %j: %s [PP-27] [E7]', (text, category) => {
    expect(findForbidden(text)).toBe(category);
  });

  it.each(honestTexts)('leaves %j alone: words count, not parts of words [PP-27] [E7]', (text) => {
    expect(findForbidden(text)).toBeNull();
  });
});

describe('findForbiddenNeed', () => {
  const ask = (parameters: Readonly<Record<string, unknown>>) => ({
    collection_method: { tool: 'read', parameters },
  });

  it.each([
    { id: 'db_password' },
    { description: 'the API token' },
    { description: 'what postgres://app@db/prod holds' },
    { purpose: 'to know the credentials' },
    { collection_method: { tool: 'read_secrets', parameters: {} } },
    ask({ deep: [{ path: 'config/.env' }] }),
    ask({ apiKey: true }),
    ask({ header: 'Basic dXNlcjpwYXNz' }),
    ask({ path: '.env.production' }),
    ask({ command: 'cat /home/app/.ssh/config' }),
    ask({ path: 'certificates/server.key' }),
    ask({ path: 'config/credentials.yml' }),
    ask({ path: 'infra/secrets/prod.yaml' }),
    ask({ query: 'the API key of production' }),
    ask({ query: '本番サーバーのURL' }),
    ask({ path: 'src', padding: 'x '.repeat(4_000), key: 'the password' }),
    { default_assumption: 'postgres://localhost/app' },
  ])('looks at %j, whatever its id is [PP-27] [E7]', (fields) => {
    expect(findForbiddenNeed(makeNeed('info_1', fields))).not.toBeNull();
  });

  it.each([
    { default_assumption: 'src/index.ts' },
    ask({ path: '.env.example' }),
    ask({ path: 'src/auth/config.ts' }),
    ask({ path: 'src/password-field.ts', glob: '**/*Token*.ts' }),
    ask({ path: 'src/secrets/load-secrets.ts' }),
    ask({ pattern: 'validatePassword' }),
    ask({ pattern: String.raw`function validatePassword\(` }),
    ask({ query: 'const password =' }),
    ask({ query: 'user_name' }),
    ask({ query: 'password' }),
    ask({ query: 'item.key', path: 'src/key.ts' }),
    ask({ first: 'access', second: 'token limit' }),
    ask({ first: 'api', second: 'key' }),
    ask({ first: 'cors', second: 'settings' }),
    ask({ first: 'アクセス', second: 'キー' }),
    ask({ first: 'user=a', second: 'pass' }),
    ask({ number: 123456789018, url: 'https://example.com/guide' }),
  ])('lets %j be, of which nothing is forbidden [PP-27]', (fields) => {
    expect(findForbiddenNeed(makeNeed('info_1', fields))).toBeNull();
  });

  it('looks at parameters however deep they are', () => {
    const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 'the password');
    expect(findForbiddenNeed(makeNeed('info_1', ask({ deep })))).toBe('credentials');
  });
});

describe('findForbiddenValue', () => {
  it.each(toCases(forbiddenValues))('knows %j for what it is: %s [PP-27] [E7]', (value, category) => {
    expect(findForbiddenValue(value)).toBe(category);
  });

  it.each([...honestTexts, ...honestValues])('takes %j for a value like any other [PP-27]', (value) => {
    expect(findForbiddenValue(value)).toBeNull();
  });
});
