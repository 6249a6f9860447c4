import { describe, expect, it } from 'vitest';
import { createOutgoingGate, createSecretFilters, listPlaces } from './outgoing-gate.ts';

describe('createSecretFilters', () => {
  it('takes out the secrets that the process holds, in every spelling that leaves it', () => {
    const secret = 'very"secret/value';
    const redact = createSecretFilters([secret]).redactOutgoing;
    const header = Buffer.from(`x-access-token:${secret}`).toString('base64');
    for (const text of [secret, JSON.stringify({ a: secret }), encodeURIComponent(secret), header]) {
      expect(redact(`before ${text} after`)).not.toContain(secret.slice(5));
      expect(redact(`before ${text} after`)).toContain('[REDACTED]');
    }
    expect(redact(header)).toBe('[REDACTED]');
  });

  it.each([
    `ghp_${'a1'.repeat(18)}`,
    `github_pat_${'A1'.repeat(30)}`,
    `glpat-${'x1'.repeat(10)}`,
    `sk-proj-${'b2'.repeat(20)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `Authorization: Bearer ${'c3'.repeat(20)}`,
    'https://x-access-token:hunter22@example.org/a/b.git',
    'password = "hunter2hunter2"',
    `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(20)}\n-----END PRIVATE KEY-----`,
  ])('takes out what looks like a secret: %s', (text) => {
    const clean = createSecretFilters([]).redactOutgoing(`see ${text} there`);
    expect(clean).toContain('[REDACTED]');
    expect(clean).toMatch(/^see .* there$/s);
    expect(clean).not.toMatch(/hunter2|a1a1a1|A1A1A1|x1x1x1|b2b2b2|c3c3c3|IOSFODNN|QUJDQUJD/);
  });

  it('leaves ordinary text alone', () => {
    const text =
      'The tokenizer reads "password" fields; see https://example.org:8080/a@b and the bearer of news, task-1234567890123456789.';
    expect(createSecretFilters(['short', '', 'ab']).redactOutgoing(text)).toBe(text);
  });

  it('stays quick on a megabyte of anything', { tags: ['full'] }, () => {
    const redact = createSecretFilters(['some-secret-value']).redactOutgoing;
    for (const text of [
      'a'.repeat(1e6),
      'https://a:'.repeat(1e5),
      'Bearer '.repeat(1e5),
      '-----BEGIN '.repeat(1e5),
    ]) {
      expect(redact(text).length).toBeGreaterThan(0);
    }
  });
});

describe('createOutgoingGate', () => {
  it.each(['\ue000', '\ue001', '\ufff9', '\ufffa', '\ufffb', '\u200b', '\u{e0041}'])(
    'redacts a secret that a character without a shape splits: %j',
    async (sign) => {
      const secret = 'plumOrchardLane42xyz';
      const token = `ghp_${'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b'}`;
      const gate = createOutgoingGate({ secrets: [secret], places: [] });
      for (const value of [secret, token])
        for (const clean of [gate.cleanText, gate.cleanLine, gate.cleanMessage]) {
          const written = await clean(`${value.slice(0, 12)}${sign}${value.slice(12)}`);
          expect(written.replace(/[^\w]/g, '')).not.toContain(value);
        }
    },
  );
});

describe('the places of a machine', () => {
  it('are addresses of the endpoint, and its host where that is no name that everybody has', () => {
    const spell = (endpoint: string) =>
      listPlaces({ directories: {}, endpoints: [endpoint], publicHosts: [] }).map(({ value }) => value);
    expect(spell('http://gpu-box:1234/v1')).toContain('gpu-box');
    for (const common of ['http://localhost:1234/v1', 'http://127.0.0.1:1234', 'https://api.openai.com/v1'])
      expect(spell(common)).not.toContain(new URL(common).hostname);
  });

  it('are directories too, by their names, where the path does not go on', async () => {
    const places = listPlaces({
      directories: { '/srv/agent/work': 'the work directory' },
      endpoints: [],
      publicHosts: [],
    });
    const gate = createOutgoingGate({ secrets: [], places });
    expect(await gate.cleanText('In /srv/agent/work, not in /srv/agent/works.')).toBe(
      'In the work directory, not in /srv/agent/works.',
    );
  });

  it('have the name of the innermost, in whatever order they are told', async () => {
    const places = [
      { value: '/srv/agent', name: 'the directory' },
      { value: '/srv/agent/work', name: 'the work directory' },
    ];
    for (const told of [places, places.toReversed()]) {
      const gate = createOutgoingGate({ secrets: [], places: told });
      expect(await gate.cleanText('/srv/agent/work and /srv/agent')).toBe(
        'the work directory and the directory',
      );
    }
  });

  it('of three letters are words, and stay', async () => {
    const places = ['gpu', 'gpu7'].map((value) => ({ value, name: 'the endpoint' }));
    const gate = createOutgoingGate({ secrets: [], places });
    expect(await gate.cleanText('a gpu, and gpu7')).toBe('a gpu, and the endpoint');
  });
});
