import { PlatformError } from '@agent/platforms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeAttemptBed, statistics } from '../../test/attempt-bed.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { OpenIntentError } from './call-with-retry.ts';

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
