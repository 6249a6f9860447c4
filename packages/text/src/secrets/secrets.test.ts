import { describe, expect, it } from 'vitest';
import { lookAlikes, secretRemains, secretSamples } from '../../test/secret-samples.ts';
import {
  createKnownSecrets,
  findSecrets,
  isHideable,
  placeholder,
  replaceSecrets,
  scanSecrets,
} from './index.ts';

// Put together here, so that scanners of this repository find nothing.
const join = (...parts: readonly string[]) => parts.join('');
const drawn = (count: number) => 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'.repeat(20).slice(0, count);

const known = createKnownSecrets([]);
const find = async (text: string) => [...findSecrets(text, known), ...(await scanSecrets(text))];
const clean = (text: string) => replaceSecrets(text, findSecrets(text, known));

describe('what is written as secrets are', () => {
  it.each(secretSamples)('is found: %s [NX-37]', (_, secret) => {
    for (const text of [secret, `see "${secret}", please`, `before\n${secret}\nafter`]) {
      const cleaned = clean(text);
      expect(cleaned).toContain('[REDACTED]');
      // Nothing drawn is left.
      expect(cleaned).not.toMatch(secretRemains);
    }
  });

  it.each(lookAlikes)('is not what code looks like: %s [NX-37]', async (text) => {
    expect(await find(text)).toEqual([]);
  });

  it('is found by the scanner whatever the text asks of it [NX-37]', async () => {
    const text = join('<!-- secretlint-disable -->\n', 'ghp', '_', drawn(36));
    expect((await scanSecrets(text)).length).toBeGreaterThan(0);
  });

  it('leaves nothing behind in the scanner, however many texts there are', async () => {
    const { secretLintProfiler } = await import('@secretlint/profiler');
    for (let count = 0; count < 20; count += 1) await scanSecrets(`text ${count}`);
    expect(await secretLintProfiler.getEntries()).toEqual([]);
    expect(performance.getEntriesByType('mark')).toEqual([]);
  });

  it('is looked for in linear time', { tags: ['full'] }, () => {
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
  const byNumber = (spell: (code: number, at: number) => string) =>
    [...secret].map((sign, at) => spell(sign.charCodeAt(0), at)).join('');
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
    ['as all of an address is escaped', byNumber((code) => `%${code.toString(16)}`)],
    [
      'with every second sign escaped',
      byNumber((code, at) => (at % 2 ? `%${code.toString(16)}` : String.fromCharCode(code))),
    ],
    ['in escapes of JSON', byNumber((code) => `\\u00${code.toString(16).toUpperCase()}`)],
    ['in escapes of shells', byNumber((code) => `\\x${code.toString(16)}`)],
    ['in references of HTML', byNumber((code) => `&#${code};`)],
    ['with references to characters without a shape', [...secret].join('&#8203;&#x200d;')],
    ['with characters without a shape', [...secret].join('\u200b\u00ad')],
    ['its first half', secret.slice(0, 12)],
    ['its second half', secret.slice(12)],
  ])('does not leave %s [NX-37]', (_, text) => {
    expect(replaceSecrets(`before ${text} after`, own.find(`before ${text} after`))).not.toContain(text);
  });

  it.each([60, 64, 76])(
    'is hidden in base64 of %i columns, whatever stands around the lines [NX-36, NX-37]',
    (columns) => {
      for (const [before, after] of [
        ['', ''],
        ['    "', '" +'],
        ['# ', '\r'],
      ]) {
        const whole = base64(`${'a'.repeat(80)}${secret}${'b'.repeat(80)}`);
        const lines = [...whole.matchAll(new RegExp(`.{1,${columns}}`, 'g'))].map(([line]) => line);
        const text = `one\n${lines.map((line) => `${before}${line}${after}`).join('\n')}\ntwo`;
        for (const hidden of [own.hide(text), replaceSecrets(text, own.find(text))]) {
          expect(hidden).toMatch(/^one\n.*\[REDACTED\].*\ntwo$/s);
          expect(hidden.replace(/[^A-Za-z0-9+/=]/g, '')).not.toContain(base64(secret).slice(4, 12));
        }
      }
    },
  );

  it('is taken out at its place, and nothing beside it [NX-37]', () => {
    const text = `%41\u200b before ${byNumber((code) => `%${code.toString(16)}`)}\u200bafter &#66;`;
    expect(replaceSecrets(text, own.find(text))).toBe(`%41\u200b before ${placeholder}after &#66;`);
    const token = join('ghp', `_A1b2C3\u2060d4E5f6G7h8I9j0K1l2M3n4O5p6Q7`);
    expect(replaceSecrets(`see ${token}`, findSecrets(`see ${token}`, own))).toBe(`see ${placeholder}`);
  });

  it('is no ordinary word: a short value hides nothing [NX-36]', () => {
    expect(['ollama', 'lm-studio', 'x', ''].filter(isHideable)).toEqual([]);
    const { hide, find } = createKnownSecrets(['ollama', '', 'ab']);
    expect(hide('import ollama; abc')).toBe('import ollama; abc');
    expect(find('import ollama; abc')).toEqual([]);
  });

  it('are hidden from eight characters on where they begin as their issuer writes them', () => {
    const short = ['sk-local', 'ghp_abcd', 'glpat-ab', 'hvs.abcd', 'lin_api_', 'tskey-ab', 'AIzaSyAb'];
    expect(short.filter(isHideable)).toEqual(short);
    expect(['sk-abcd', 'key-to-it', 're_tries', 'glossary-a', 'skeleton'].filter(isHideable)).toEqual([]);
  });
});

describe('a known secret in base64', () => {
  const value = join('kn0wn', '-v4lue-', 'of-a-t0ken');
  const secrets = createKnownSecrets([value]);
  const hide = (text: string) => replaceSecrets(text, findSecrets(text, secrets));
  const encoded = Buffer.from(value).toString('base64');

  it.each([...'+/=-_'])('takes along what stands beside it, across the sign %s [NX-36]', (sign) => {
    expect(hide(`see ab${sign}${encoded}`)).toBe('see [REDACTED]');
  });

  it.each([...'*,.<>^`'])('takes along nothing from beyond %s [NX-36]', (other) => {
    expect(hide(`see ab${other}${encoded}`)).toBe(`see ab${other}[REDACTED]`);
  });

  it.each([
    [12, 'ends'],
    [11, 'begins'],
  ])('is hidden at %i columns, where a line of it %s with a sign [NX-36]', (columns) => {
    const secret = join('plum-or>>', '>chard-lane');
    const lines = Buffer.from(secret)
      .toString('base64')
      .match(new RegExp(`.{1,${columns}}`, 'g'));
    const [first = '', second = ''] = lines ?? [];
    expect(columns === 12 ? first.at(-1) : second.at(0)).toBe('+');
    const text = `one:\n${lines?.join('\n')}\ntwo.`;
    expect(createKnownSecrets([secret]).hide(text)).toBe('one:\n[REDACTED]\ntwo.');
  });

  it('is taken out of several lines, and nothing before or after it [NX-37]', () => {
    const secret = 'a passphrase of many words, 3 lines long in base64';
    const written =
      Buffer.from(secret)
        .toString('base64')
        .match(/.{1,24}/g) ?? [];
    expect(written).toHaveLength(3);
    const text = `one: two\nkey: >\n  ${written.join('\n  ')}\nlast: .`;
    expect(createKnownSecrets([secret]).hide(text)).toBe('one: two\nkey: >\n  [REDACTED]\nlast: .');
  });
});

describe('half of a known secret', () => {
  it('is found where the whole is long enough and drawn by chance [NX-37]', () => {
    const findHalf = (secret: string) =>
      createKnownSecrets([secret]).find(secret.slice(0, Math.floor(secret.length / 2))).length;
    expect(findHalf(drawn(24))).toBe(1);
    expect(findHalf(drawn(23))).toBe(0);
    expect(findHalf('a passphrase of many words')).toBe(0);
  });
});
