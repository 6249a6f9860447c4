import { PlatformError } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import { connectPatiently } from './connect-patiently.ts';

const away = () => new PlatformError('Connection refused.', { code: 'unavailable' });

/** Connects through these failures. Each pause is recorded and takes no time. */
async function connect(failures: Error[], { once = false, onSleep = () => {} } = {}) {
  const pauses: number[] = [];
  const events: unknown[] = [];
  const stopping = new AbortController();
  let waited = 0;
  const result = await connectPatiently(
    async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return 'connected';
    },
    {
      ...{ once, shutdown: stopping.signal },
      observe: (event) => void events.push(event),
      logger: { warn: () => {}, info: () => {} },
      onWaiting: async () => {
        waited += 1;
      },
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        onSleep();
      },
    },
  ).catch((error: unknown) => error);
  return { result, pauses, events, waited };
}

describe('connectPatiently', () => {
  it('tries again with growing pauses, reports why it waits, and that it is over', async () => {
    const { result, pauses, events, waited } = await connect(Array.from({ length: 6 }, away));
    expect(result).toBe('connected');
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(waited).toBe(1);
    const condition = { type: 'condition', part: 'platforms' };
    expect(events.at(0)).toEqual({ ...condition, state: 'waiting', reason: 'Connection refused.' });
    expect(events.at(-1)).toEqual({ ...condition, state: 'ok', reason: null });
  });

  it('waits as long as a rate limit asks for', async () => {
    const limit = new PlatformError('Limited.', { code: 'rate-limited', retryAfterMs: 3_600_000 });
    expect(await connect([limit])).toMatchObject({ result: 'connected', pauses: [3_600_000] });
  });

  it('says nothing if the first try succeeds', async () => {
    expect(await connect([])).toMatchObject({ result: 'connected', events: [], waited: 0 });
  });

  it.each([
    new PlatformError('Refused.', { code: 'unauthorized' }),
    new PlatformError('A web page.', { code: 'unavailable', reason: 'other-service' }),
    new TypeError('x is not a function'),
  ])('does not wait for what waiting does not change: $message', async (error) => {
    expect(await connect([error])).toMatchObject({ result: error, pauses: [] });
  });

  it('does not wait in a process that runs once', async () => {
    expect(await connect([away()], { once: true })).toMatchObject({
      pauses: [],
      result: { code: 'unavailable' },
    });
  });
});
