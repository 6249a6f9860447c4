import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import type { Platform } from '../platform.ts';
import type { TaskKey } from '../task-key.ts';
import type { GitHubPlatformOptions } from './index.ts';

function patience(maxRateLimitWaitMs: number) {
  const waits: number[] = [];
  const sleep: GitHubPlatformOptions['sleep'] = async (milliseconds) => {
    waits.push(milliseconds);
  };
  return { waits, options: { maxRateLimitWaitMs, sleep } };
}

describe("GitHub's limits", () => {
  it('a short secondary limit is waited out [CD-57]', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'secondary-limit', retryAfterSeconds: 7 });
      const { waits, options } = patience(10_000);
      const thread = await connect(options).openThread(key).reader.readThread();
      expect(thread.title).toBe('Contract');
      expect(waits).toEqual([7000]);
    }));

  it('a write is sent again after a limit, because a refused one had no effect [CD-57]', () =>
    onSimulator(async ({ simulator, connect, people, key }) => {
      simulator.fail({ method: 'POST', path: '/comments', kind: 'secondary-limit', retryAfterSeconds: 7 });
      const { options } = patience(10_000);
      await connect(options).openThread(key).writer.ensureComment({ topic: 'final', body: 'Done.' });
      expect(await people.commentsOn(key)).toHaveLength(1);
    }));

  it('a refusal that names a time is not repeated before that time, whatever is asked', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'secondary-limit', retryAfterSeconds: 90 });
      let time = Date.now();
      const platform = connect({ ...patience(0).options, now: () => time });
      const { reader, comments } = platform.openThread(key);
      await expect(reader.readThread()).rejects.toMatchObject({ code: 'rate-limited' });
      const { length } = simulator.requests;
      time += 60_000;
      await expect(reader.readThread()).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 30_000 });
      await expect(comments.listComments({ since: null })).rejects.toMatchObject({ code: 'rate-limited' });
      const waiting = { label: 'bug', assignee: null, state: 'open' } as const;
      await expect(platform.tasks.listTasks(waiting)).rejects.toMatchObject({ code: 'rate-limited' });
      expect(simulator.requests).toHaveLength(length);
      time += 30_000;
      expect((await reader.readThread()).title).toBe('Contract');
    }));

  it('a long limit is reported with its end, by Retry-After [CD-57]', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'secondary-limit', retryAfterSeconds: 90 });
      const { waits, options } = patience(60_000);
      await expect(connect(options).openThread(key).reader.readThread()).rejects.toMatchObject({
        code: 'rate-limited',
        retryAfterMs: 90_000,
      });
      expect(waits).toEqual([]);
    }));

  it('an exhausted primary limit is reported with its reset [CD-57]', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.setRateLimit({ limit: 5000, remaining: 0 });
      const { waits, options } = patience(60_000);
      const reading = connect(options).openThread(key).reader.readThread();
      const error = (await reading.catch((caught: unknown) => caught)) as {
        code: string;
        retryAfterMs: number;
      };
      expect(error.code).toBe('rate-limited');
      expect(error.retryAfterMs).toBeGreaterThan(60_000);
      expect(error.retryAfterMs).toBeLessThanOrEqual(3_601_000);
      expect(waits).toEqual([]);
    }));

  it('a limit that stays is not waited out for ever', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'secondary-limit', retryAfterSeconds: 1, times: 10 });
      const { waits, options } = patience(60_000);
      await expect(connect(options).openThread(key).reader.readThread()).rejects.toMatchObject({
        code: 'rate-limited',
      });
      expect(waits).toEqual([1000, 1000]);
    }));

  it('a caller leaves while a limit is waited out', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'secondary-limit', retryAfterSeconds: 30 });
      const controller = new AbortController();
      const reason = new Error('shutting down');
      const sleep: GitHubPlatformOptions['sleep'] = (_milliseconds, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          controller.abort(reason);
        });
      const { reader } = connect({ sleep }).openThread(key);
      await expect(reader.readThread({ signal: controller.signal })).rejects.toBe(reason);
    }));

  it('a read that failed is repeated, a label write never', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      const { reader, labels } = connect({ readRetries: 2, retryDelayMs: 0 }).openThread(key);
      simulator.fail({ path: '/issues/1', kind: 'server-error', times: 2 });
      expect((await reader.readThread()).title).toBe('Contract');
      simulator.fail({ method: 'DELETE', path: '/labels', kind: 'server-error' });
      await expect(labels?.removeLabel('bug')).rejects.toMatchObject({ code: 'unavailable' });
      expect(simulator.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    }));

  it.each([
    ['a thread', (platform: Platform, key: TaskKey) => platform.openThread(key).reader.readThread()],
    ['a label', (platform: Platform, key: TaskKey) => platform.openThread(key).labels?.removeLabel('bug')],
  ] as const)('%s that is not there is asked for once: repeating the question changes nothing', (_, ask) =>
    onSimulator(async ({ simulator, connect, missingKey }) => {
      const patient = connect({ readRetries: 2, retryDelayMs: 0 });
      await expect(ask(patient, missingKey)).rejects.toMatchObject({ code: 'not-found' });
      const asked = simulator.requests.map(({ method, path }) => `${method} ${path}`);
      expect(asked).toEqual([...new Set(asked)]);
    }),
  );
});
