import { createMemoryRunState, openRunState } from '@agent/run-store/testing';
import { createTextWorker } from '@agent/text/worker';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createTextCleaner, createTextGuard, markInternal, openEnvelopeNonce } from './text-guard.ts';

function createLog() {
  const written: string[] = [];
  const logger = pino({ base: null, errorKey: 'err' }, { write: (line: string) => void written.push(line) });
  return { logger, lines: () => written.splice(0) };
}

describe('createTextCleaner', () => {
  const textWorker = createTextWorker();
  afterAll(textWorker.close);
  const cleaner = (logger = createLog().logger) => createTextCleaner({ textWorker, logger });

  it('takes out what no page shows and logs once how much, never what [NX-5]', async () => {
    const { logger, lines } = createLog();
    const clean = cleaner(logger);
    const text = 'Fix it.<!-- SECRET ORDER -->';
    expect([await clean(text), await clean(text), await clean('plain')]).toEqual([
      'Fix it.',
      'Fix it.',
      'plain',
    ]);
    const logged = lines();
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      chars: 28,
      removed: [{ kind: 'html-comment', count: 1, chars: 21 }],
    });
    expect(logged[0]).not.toContain('ORDER');
  });

  it('keeps a megabyte whole, which GitLab takes, and shows nothing of what no platform takes [NX-5]', async () => {
    const clean = cleaner();
    const story = 'x'.repeat(1_048_576);
    expect(await clean(story)).toBe(story);
    expect(await clean('x'.repeat(2_097_153))).toBe('…(truncated)');
  });

  it.each([400_000, 3_000_000])(
    'shows no beginning of something hidden that is %i characters long [NX-5]',
    async (length) => {
      const clean = cleaner();
      const hidden = 'SECRET '.repeat(length / 7);
      for (const text of [
        `a <!-- ${hidden} --> b`,
        `a <b title="${hidden}">b</b>`,
        `a ![${hidden}](http://x) b`,
      ])
        expect(await clean(text)).not.toContain('SECRET');
    },
  );

  it('leaves of a text nothing that cannot be sent', async () => {
    expect((await cleaner()('\ud83d ok')).isWellFormed()).toBe(true);
  });

  it('shows of a text that takes too long where it stands, and nothing of it, and logs it once [NX-18]', async () => {
    const { logger, lines } = createLog();
    const clean = createTextCleaner({ textWorker: { clean: async () => null }, logger });
    const url = 'https://github.com/acme/shop/issues/1#issuecomment-2';
    const [shown] = [await clean('/stop SLOW', url), await clean('/stop SLOW', url)];
    expect(shown).toBe(
      `(A text of 10 characters is not shown because it could not be cleaned in time. Users can read it at ${url})`,
    );
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ chars: 10, url }]);
  });
});

describe('createTextGuard', () => {
  const nonce = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
  const account = { id: '1', login: 'alice', kind: 'person' } as const;
  const guardWith = (isTrusted: () => Promise<boolean>) => {
    const { logger, lines } = createLog();
    return { ...createTextGuard({ nonce, clean: async (text) => text, isTrusted, logger }), lines };
  };

  it('trusts nobody whom it could not ask about, and says so [NX-4, X11]', async () => {
    const guard = guardWith(async () => {
      throw new Error('down');
    });
    expect(await guard.authorityOf(account, {})).toBe('untrusted');
    expect(guard.lines().join()).toContain('failed to check author permission');
    expect(await guardWith(async () => true).authorityOf(account, {})).toBe('trusted');
    expect(await guardWith(async () => false).authorityOf(account, {})).toBe('untrusted');
  });

  it('leaves an abort an abort', async () => {
    const guard = guardWith(async () => {
      throw new Error('down');
    });
    const signal = AbortSignal.abort(new Error('the end'));
    await expect(guard.authorityOf(account, { signal })).rejects.toThrow('the end');
  });

  it('puts a text into its envelope, and nothing where there is nothing to see [NX-6]', () => {
    const guard = guardWith(async () => true);
    const wrapped = guard.wrap('Hello', { author: 'bob', authority: 'untrusted' });
    expect(wrapped).toMatch(
      new RegExp(`BEGIN TEXT ${nonce} .*@bob .*untrusted.*\nHello\n.*END TEXT ${nonce}`),
    );
    expect(guard.wrap(' \n', { author: 'bob', authority: 'untrusted' })).toBe('');
  });
});

describe('openEnvelopeNonce', () => {
  const { logger, lines } = createLog();

  it('draws a nonce for a run once, and reads it back ever after [NX-6]', async () => {
    const state = createMemoryRunState();
    const first = await openEnvelopeNonce(state, { logger });
    expect(first).toMatch(/^[a-z]{16}$/);
    expect(await openEnvelopeNonce(state, { logger })).toBe(first);
    expect(await state.read('envelope_nonce')).toBe(`${first}\n`);
  });

  it('draws another where the file is torn, and goes on where none can be kept [NX-6]', async () => {
    const state = createMemoryRunState({ envelope_nonce: '1234' });
    const draw = () => 'a-nonce-that-was-drawn-anew';
    expect(await openEnvelopeNonce(state, { logger, draw })).toBe(draw());
    expect(await openEnvelopeNonce(state, { logger })).toBe(draw());
    expect(lines()).toEqual([]);
    expect(await openEnvelopeNonce(openRunState('nowhere'), { logger, draw })).toBe(draw());
    expect(lines().join()).toContain('failed to save envelope nonce');
  });
});

describe('markInternal', () => {
  it('says before an internal text that members alone may read it, and nothing before any other', () => {
    expect(markInternal('Hello', { visibility: 'internal' })).toMatch(/^\[Internal note: .*\]\nHello$/);
    for (const visibility of ['public', undefined])
      expect(markInternal('Hello', { visibility })).toBe('Hello');
  });

  it('says nothing before an internal text that shows nothing', () => {
    expect(markInternal(' \n', { visibility: 'internal' })).toBe(' \n');
  });
});
