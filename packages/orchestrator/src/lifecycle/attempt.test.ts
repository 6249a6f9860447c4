import { PlatformError } from '@agent/platforms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeAttemptBed, statistics } from '../../test/attempt-bed.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { OpenIntentError } from '../intents/call-with-retry.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

describe('a run to which access is refused', () => {
  it('stays open with an entry, and continues once access is allowed [NX-93]', async () => {
    let isRefused = true;
    const { carry, outbox } = await makeAttemptBed(bed, async () => {
      if (isRefused) throw new PlatformError('Sign in to the organization.', { code: 'forbidden' });
      return {
        kind: 'ended',
        outcome: { status: 'stopped', reason: null, finalText: null, statistics },
      };
    });
    const states = async () =>
      (await outbox.list()).filter(({ kind }) => kind === 'access').map(({ state }) => state);
    await expect(carry()).rejects.toBeInstanceOf(OpenIntentError);
    expect(await states()).toEqual(['open']);
    isRefused = false;
    const ended: unknown = await carry().catch((error: unknown) => error);
    expect(ended).not.toBeInstanceOf(OpenIntentError);
    expect(await states()).not.toContain('open');
  });
});

describe('the label of a running task', () => {
  it('stops the run when a user removes it between two attempts [RL-2]', async () => {
    const signals: string[] = [];
    const { carry, read } = await makeAttemptBed(bed, async (_run, work) => {
      signals.push(await work.signals.read({}));
      if (signals.length > 1)
        return {
          kind: 'ended',
          outcome: { status: 'stopped', reason: null, finalText: null, statistics },
        };
      expect((await read()).labels).toContain('p');
      bed.platform.people.setLabels(bed.key, ['bug']);
      throw new PlatformError('502', { code: 'unavailable' });
    });
    await carry().catch(() => null);
    expect([signals, (await read()).labels]).toEqual([['none', 'stop'], ['bug']]);
  });

  it('is set again where the configuration has another name for it [RL-2]', async () => {
    const signals: string[] = [];
    const { carry, read, rename } = await makeAttemptBed(bed, async (_run, work) => {
      signals.push(await work.signals.read({}));
      throw new PlatformError('502', { code: 'unavailable' });
    });
    await carry().catch(() => null);
    rename('at work');
    await carry().catch(() => null);
    expect(signals).not.toContain('stop');
    expect((await read()).labels).toContain('at work');
  });
});
