import { describe, expect, it } from 'vitest';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import { createRequestBudget, type RequestBudgetOptions, withRequestBudget } from './request-budget.ts';

/** A thread whose looks are budgeted by what the simulator says. */
async function budgeted(fixture: SimulatorFixture, options: RequestBudgetOptions = {}) {
  const { connect, key, people } = fixture;
  await people.comment(key, { author: 'alice', body: 'first' });
  const clock = { time: Date.parse('2026-01-02T03:04:05Z') };
  const now = () => clock.time;
  const budget = createRequestBudget({ now, ...options });
  const platform = connect({ onRequest: budget.record });
  const source = withRequestBudget(platform.openThread(key).comments, { budget, now });
  const pass = async (seconds: number) => {
    clock.time += seconds * 1000;
    await people.passTime(seconds);
  };
  return { source, budget, platform, pass };
}

describe('withRequestBudget', () => {
  it('looks often at first and more rarely the longer a thread is quiet [CD-57] [CD-60]', () =>
    onSimulator(async (fixture) => {
      const { source, pass } = await budgeted(fixture);
      let { cursor } = await source.listComments({ since: null });
      const asked = fixture.simulator.requests.length;
      const hours: number[] = [];
      for (let minute = 0; minute < 60; minute += 1) {
        for (let second = 0; second < 60; second += 5) {
          await pass(5);
          ({ cursor } = await source.listComments({ since: cursor }));
        }
        hours.push(fixture.simulator.requests.length - asked);
      }
      expect(hours[0]).toBe(6);
      expect(hours.at(-1)).toBeLessThan(70);
      await fixture.people.comment(fixture.key, { author: 'bob', body: 'hello?' });
      const seen: string[] = [];
      for (let second = 0; second < 90; second += 5) {
        await pass(5);
        const { comments } = await source.listComments({ since: cursor });
        seen.push(...comments.map(({ body }) => body));
      }
      expect(seen).toContain('hello?');
    }));

  it('looks often again after news [CD-57] [CD-60]', () =>
    onSimulator(async (fixture) => {
      const { source, pass } = await budgeted(fixture);
      let cursor: string | null = null;
      const countRequests = async (seconds: number) => {
        const before = fixture.simulator.requests.length;
        for (let passed = 0; passed < seconds; passed += 5) {
          await pass(5);
          ({ cursor } = await source.listComments({ since: cursor }));
        }
        return fixture.simulator.requests.length - before;
      };
      await countRequests(3_600);
      const quiet = await countRequests(90);
      await fixture.people.comment(fixture.key, { author: 'bob', body: 'hello?' });
      await countRequests(90);
      expect(await countRequests(90)).toBeGreaterThan(2 * quiet);
    }));

  it('looks more rarely at a quiet thread whose platform lists it anew each time [CD-57] [CD-60]', async () => {
    const clock = { time: 0 };
    const now = () => clock.time;
    const nothing = { comments: [], complete: true, unchanged: false, cursor: null };
    const answers = [nothing];
    const listComments = async () => answers[answers.push(nothing) - 1] ?? nothing;
    const source = withRequestBudget({ listComments }, { budget: createRequestBudget({ now }), now });
    for (; clock.time < 3_600_000; clock.time += 5_000) await source.listComments({ since: null });
    expect(answers.length).toBeLessThan(75);
  });

  it('looks at once for a caller who insists [B21]', () =>
    onSimulator(async (fixture) => {
      const { source } = await budgeted(fixture);
      const { cursor } = await source.listComments({ since: null });
      await fixture.people.comment(fixture.key, { author: 'bob', body: 'at the end' });
      expect((await source.listComments({ since: cursor })).unchanged).toBe(true);
      const { comments } = await source.listComments({ since: cursor, fresh: true });
      expect(comments.map(({ body }) => body)).toContain('at the end');
    }));

  it('leaves what is short to the runs, and makes the fresh looks of one that ends all the same [CD-57, NX-48]', () =>
    onSimulator(async (fixture) => {
      const { source, platform, budget, pass } = await budgeted(fixture);
      const { cursor } = await source.listComments({ since: null });
      fixture.simulator.setRateLimit({ limit: 5000, remaining: 900 });
      await platform.openThread(fixture.key).reader.readThread();
      await pass(600);
      const asked = fixture.simulator.requests.length;
      expect((await source.listComments({ since: cursor })).unchanged).toBe(true);
      expect(fixture.simulator.requests).toHaveLength(asked);
      await source.listComments({ since: cursor, fresh: true });
      expect(fixture.simulator.requests.length).toBeGreaterThan(asked);
      expect(budget.waitMs('content')).toBe(0);
    }));

  it('rejects where the platform takes no requests: not asking is not "nothing new" [CD-57]', () =>
    onSimulator(async (fixture) => {
      const { source, platform, pass } = await budgeted(fixture);
      const { cursor } = await source.listComments({ since: null });
      fixture.simulator.setRateLimit({ limit: 5000, remaining: 1 });
      await platform.openThread(fixture.key).reader.readThread();
      await pass(10);
      const asked = fixture.simulator.requests.length;
      const refused = source.listComments({ since: cursor, fresh: true });
      await expect(refused).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 3_590_000 });
      expect(fixture.simulator.requests).toHaveLength(asked);
    }));

  it('answers "unchanged" while the minute is full, but never to a first or a fresh look [NX-48]', () =>
    onSimulator(async (fixture) => {
      const { source, pass, platform } = await budgeted(fixture, { pointsPerMinute: 4 });
      for (let read = 0; read < 5; read += 1) await platform.openThread(fixture.key).reader.readThread();
      const { cursor, comments } = await source.listComments({ since: null });
      expect(comments).toHaveLength(1);
      await fixture.people.comment(fixture.key, { author: 'bob', body: 'meanwhile' });
      await pass(50);
      expect((await source.listComments({ since: cursor })).unchanged).toBe(true);
      const fresh = await source.listComments({ since: cursor, fresh: true });
      expect(fresh.comments.map(({ body }) => body)).toContain('meanwhile');
    }));

  it('tells nothing twice as unchanged that its caller has not heard', () =>
    onSimulator(async (fixture) => {
      const { source } = await budgeted(fixture);
      await source.listComments({ since: null });
      const again = await source.listComments({ since: '2026-01-01T00:00:00Z' });
      expect(again.comments).toHaveLength(1);
    }));
});
