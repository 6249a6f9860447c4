// @module-tag full

import type { RepositoryCheck } from '@agent/rehearsal';
import type { ProxyAnswer, ProxyHandler } from '@agent/simulators/trials';
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';
import { type SeededDifference, seededDifferences } from './seeded-differences.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

/** Shorter than those of a rehearsal that passes: a failure takes this long. */
const waitLimits = {
  ...{ platformMs: 20_000, startMs: 180_000, modelMs: 60_000 },
  ...{ intervalMs: 50, freshMs: 2_000, stopMs: 20_000 },
};

const isEarly = ({ check }: SeededDifference) =>
  ['access', 'model', 'person', 'single', 'labels'].includes(check);

async function findSeeded(seeded: SeededDifference): Promise<void> {
  const { check, says, forge, prepare } = seeded;
  fixture = await startRehearsalFixture({ forge, ...seeded.fixture });
  await prepare?.(fixture);
  const ended = new AbortController();
  const { output } = await fixture.rehearse(
    {},
    {
      waitLimits,
      signal: ended.signal,
      // The other checks show nothing more.
      onResult: ({ name }) => (name === check ? ended.abort(new Error('found')) : undefined),
    },
  );
  const found = fixture.checkOf(check);
  expect(found?.status, output).toBe('failed');
  expect(`${found?.text} ${found?.fix} ${found?.url}`, output).toMatch(says);
  const others = fixture.checks.filter(
    ({ name, status }) => name !== check && name !== 'clean-up' && status === 'failed',
  );
  expect(others, output).toEqual([]);
  expect(await fixture.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
}

/** Passes a request through one handler after the other, and then on to the platform. */
async function passThrough(
  [first, ...others]: readonly ProxyHandler[],
  exchange: Parameters<ProxyHandler>[0],
): Promise<ProxyAnswer> {
  if (first === undefined) return exchange.forward();
  const answer = await first({ ...exchange, forward: () => passThrough(others, exchange) });
  if (typeof answer === 'string') throw new Error(`These differences answer, and do not ${answer}.`);
  return answer;
}

describe('agent-daemon rehearse', () => {
  it.each(seededDifferences.filter(isEarly))(
    'finds before it starts a run that $name ($forge)',
    { timeout: 480_000 },
    findSeeded,
  );

  it.each(seededDifferences.filter((seeded) => !isEarly(seeded)))(
    'finds that $name ($forge)',
    { timeout: 480_000, tags: ['release'] },
    findSeeded,
  );

  it('finds several differences at once, each by its check', { timeout: 480_000 }, async () => {
    const checks: readonly RepositoryCheck[] = ['reaction', 'pages', 'conditional'];
    const seeded = seededDifferences.filter(({ check }) => checks.includes(check));
    const handlers = seeded.flatMap((one) => one.fixture?.handle ?? []);
    const handle: ProxyHandler = (exchange) => passThrough(handlers, exchange);
    fixture = await startRehearsalFixture({ forge: 'github', handle });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: RepositoryCheck }) => {
      if (name === 'clock') ended.abort(new Error('found'));
    };
    const { output } = await fixture.rehearse({}, { waitLimits, signal: ended.signal, onResult });
    const failed = fixture.checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
    expect(failed.toSorted(), output).toEqual(checks.toSorted());
  });
});
