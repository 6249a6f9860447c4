import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import type { GitLabPlatformOptions } from './index.ts';

function patience(maxRateLimitWaitMs: number) {
  const waits: number[] = [];
  const sleep: GitLabPlatformOptions['sleep'] = async (milliseconds) => {
    waits.push(milliseconds);
  };
  return { waits, options: { maxRateLimitWaitMs, sleep } };
}

describe("GitLab's limits", () => {
  it('a short limit is waited out, for as long as Retry-After says [CD-57] [CD-58]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'rate-limit', retryAfterSeconds: 7 });
      const { waits, options } = patience(10_000);
      const thread = await connect(options).openThread(key).reader.readThread();
      expect(thread.title).toBe('Contract');
      expect(waits).toEqual([7000]);
    }));

  it('a limit of one kind of request, which says no time, is waited out for a minute [CD-57]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'endpoint-limit' });
      const { waits, options } = patience(60_000);
      await connect(options).openThread(key).reader.readThread();
      expect(waits).toEqual([60_000]);
    }));

  it('a write is sent again after a limit, because a refused one had no effect [CD-57]', () =>
    onGitLab(async ({ simulator, connect, people, key }) => {
      simulator.fail({ method: 'POST', path: '/notes', kind: 'rate-limit', retryAfterSeconds: 7 });
      const { options } = patience(10_000);
      await connect(options).openThread(key).writer.ensureComment({ topic: 'final', body: 'Done.' });
      expect(await people.commentsOn(key)).toHaveLength(1);
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    }));

  it('a refusal that names a time is not repeated before that time, whatever is asked', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'rate-limit', retryAfterSeconds: 90 });
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

  it('writes are spaced by the monotonic clock, whatever the clock of the machine is set to', () =>
    onGitLab(async ({ connect, key }) => {
      const { waits, options } = patience(60_000);
      let time = Date.now();
      const clocks = { now: () => time, monotonicNow: () => 0 };
      const { writer } = connect({ ...options, ...clocks, writeSpacingMs: 1_000 }).openThread(key);
      await writer.ensureComment({ topic: 'first', body: 'One.' });
      time -= 26 * 3_600_000;
      await writer.ensureComment({ topic: 'second', body: 'Two.' });
      expect(waits).toEqual([1_000]);
    }));

  it('a long limit is reported with its end, by Retry-After [CD-57]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'rate-limit', retryAfterSeconds: 90 });
      const { waits, options } = patience(60_000);
      await expect(connect(options).openThread(key).reader.readThread()).rejects.toMatchObject({
        code: 'rate-limited',
        retryAfterMs: 90_000,
      });
      expect(waits).toEqual([]);
    }));

  it('the limit of the whole server is reported with its reset [CD-57]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.setRateLimit({ limit: 600, remaining: 0 });
      const { waits, options } = patience(0);
      const reading = connect(options).openThread(key).reader.readThread();
      const error = (await reading.catch((caught: unknown) => caught)) as {
        code: string;
        retryAfterMs: number;
      };
      expect(error.code).toBe('rate-limited');
      expect(error.retryAfterMs).toBeGreaterThan(0);
      expect(error.retryAfterMs).toBeLessThanOrEqual(61_000);
      expect(waits).toEqual([]);
    }));

  it('a limit that stays is not waited out for ever', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'rate-limit', retryAfterSeconds: 1, times: 10 });
      const { waits, options } = patience(60_000);
      await expect(connect(options).openThread(key).reader.readThread()).rejects.toMatchObject({
        code: 'rate-limited',
      });
      expect(waits).toEqual([1000, 1000]);
    }));

  it('a caller leaves while a limit is waited out', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      simulator.fail({ path: '/issues/1', kind: 'rate-limit', retryAfterSeconds: 30 });
      const controller = new AbortController();
      const reason = new Error('shutting down');
      const sleep: GitLabPlatformOptions['sleep'] = (_milliseconds, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          controller.abort(reason);
        });
      const { reader } = connect({ sleep }).openThread(key);
      await expect(reader.readThread({ signal: controller.signal })).rejects.toBe(reason);
    }));

  it('a read that failed is repeated, a label write never [CD-58]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      const { waits, options } = patience(60_000);
      const { reader, labels } = connect({ ...options, readRetries: 2, retryDelayMs: 100 }).openThread(key);
      simulator.fail({ path: '/issues/1', kind: 'server-error', times: 2 });
      expect((await reader.readThread()).title).toBe('Contract');
      expect(waits).toEqual([100, 400]);
      simulator.fail({ method: 'PUT', path: '/issues/1', kind: 'bad-gateway-html' });
      await expect(labels?.removeLabel('bug')).rejects.toMatchObject({ code: 'unavailable' });
      expect(simulator.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    }));

  it('an answer that will not change is not asked for again', () =>
    onGitLab(async ({ simulator, connect, missingKey }) => {
      const { waits, options } = patience(60_000);
      const { reader } = connect({ ...options, readRetries: 2 }).openThread(missingKey);
      await expect(reader.readThread()).rejects.toMatchObject({ code: 'not-found' });
      expect(simulator.requests).toHaveLength(1);
      expect(waits).toEqual([]);
    }));

  it('300 requests a minute by default, and no more [CD-57]', () =>
    onGitLab(async ({ simulator, connect, key }) => {
      const { waits, options } = patience(60_000);
      const platform = connect({ ...options, maxRequestsPerMinute: undefined as never });
      const { reader } = platform.openThread(key);
      for (let index = 0; index < 301; index += 1) await reader.readThread();
      expect(waits).toEqual([60_000]);
      expect(simulator.requests).toHaveLength(301);
    }));
});
