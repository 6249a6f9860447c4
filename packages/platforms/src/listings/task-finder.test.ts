import { describe, expect, it } from 'vitest';
import { PlatformError, type PlatformErrorCode } from '../platform-error.ts';
import { createPlaceLister, createTaskFinder } from './task-finder.ts';

/** What each place says at each call: items, or a refusal. */
type Answers = Readonly<Record<string, readonly (PlatformErrorCode | readonly string[])[]>>;

function places(answers: Answers) {
  const asked: string[] = [];
  const list = createPlaceLister(Object.keys(answers), async (place) => {
    const said = answers[place] ?? [];
    const answer = said[Math.min(asked.filter((one) => one === place).length, said.length - 1)] ?? [];
    asked.push(place);
    if (typeof answer === 'string') throw new PlatformError(`${place}: ${answer}`, { code: answer });
    return answer;
  });
  const look = async () => {
    const { found, failures } = await list({});
    return { found, failed: failures.map(({ place, error }) => `${place}: ${error.code}`) };
  };
  return { look, asked };
}

describe('listing many places', () => {
  it.each<PlatformErrorCode>(['not-found', 'forbidden', 'invalid', 'unavailable'])(
    'goes on with the others where one says %s [NX-26]',
    async (code) => {
      const { look } = places({ a: [['1']], gone: [code], b: [['2']] });
      expect(await look()).toEqual({ found: ['1', '2'], failed: [`gone: ${code}`] });
    },
  );

  it('asks a place a second time before it is taken for gone, and once as long as it stays so [NX-26]', async () => {
    const { look, asked } = places({
      a: ['not-found', ['1'], ['2'], 'not-found', 'not-found', 'not-found', ['3']],
    });
    expect([await look(), await look(), await look(), await look(), await look()]).toEqual([
      { found: ['1'], failed: [] },
      { found: ['2'], failed: [] },
      { found: [], failed: ['a: not-found'] },
      { found: [], failed: ['a: not-found'] },
      { found: ['3'], failed: [] },
    ]);
    expect(asked).toHaveLength(7);
  });

  it.each<PlatformErrorCode>(['unauthorized', 'rate-limited'])(
    'asks nobody else where the credential is %s, and keeps what was found before [NX-26]',
    async (code) => {
      const { look, asked } = places({ a: [['1']], b: [code], c: [['3']] });
      expect(await look()).toEqual({ found: ['1'], failed: [`b: ${code}`, `c: ${code}`] });
      expect(asked).toEqual(['a', 'b']);
    },
  );

  it('rejects where the platform answers nobody, after two tries [NX-26]', async () => {
    const { look, asked } = places({ a: ['unavailable'], b: ['unavailable'], c: [['3']] });
    await expect(look()).rejects.toMatchObject({ code: 'unavailable', scope: 'platform' });
    expect(asked).toEqual(['a', 'b']);
  });

  it('rejects where the only place does not answer, and reports one that is gone [NX-26]', async () => {
    await expect(places({ a: ['unavailable'] }).look()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await places({ a: ['not-found'] }).look()).toEqual({ found: [], failed: ['a: not-found'] });
  });

  it("ends with the signal's reason", async () => {
    const reason = new Error('enough');
    const list = createPlaceLister(['a'], () => Promise.reject(reason));
    await expect(list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

it('asks each place for what changed since its own time [NX-73]', async () => {
  const asked: unknown[] = [];
  const finder = createTaskFinder(['octo/hello', 'octo/other'], async (place, { changedSince }) => {
    asked.push([place, changedSince]);
    return [];
  });
  const query = { label: null, assignee: null, state: 'open' } as const;
  const changedSinceIn = { 'octo/hello': '2026-03-02T00:00:00Z' };
  await finder.listTasks({ ...query, changedSince: '2026-03-01T00:00:00Z', changedSinceIn });
  await finder.listTasks(query);
  expect(asked).toEqual([
    ['octo/hello', '2026-03-02T00:00:00Z'],
    ['octo/other', '2026-03-01T00:00:00Z'],
    ['octo/hello', null],
    ['octo/other', null],
  ]);
});
