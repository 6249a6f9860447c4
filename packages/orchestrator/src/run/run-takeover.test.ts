import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AttemptBed, makeAttemptBed, nothing, statistics } from '../../test/attempt-bed.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import type { Converse } from '../lifecycle/converse.ts';
import { isTakenOver } from './run-takeover.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

describe('a run that another process takes over while it works', () => {
  const endings: Readonly<Record<string, (write: Promise<unknown>) => ReturnType<Converse>>> = {
    'the refused write ends the conversation': async (write) => {
      await write;
      return nothing();
    },
    'the conversation ends as failed': async (write) => {
      const reason = await write.then(() => null, String);
      return {
        kind: 'ended',
        outcome: { status: 'failed', reason, finalText: null, statistics },
      };
    },
    'something else fails because of it': async (write) => {
      await write.catch(() => undefined);
      throw new Error('The tool has no place to write.');
    },
  };

  it.each(Object.entries(endings))(
    'tells its thread nothing more and pushes nothing where %s [NX-140]',
    async (_, end) => {
      let shown: Awaited<ReturnType<AttemptBed['read']>> | null = null;
      const setup: AttemptBed = await makeAttemptBed(bed, async (run) => {
        await setup.place.acquireOwnership();
        shown = await setup.read();
        const late = run.journal.append({ type: 'fact', name: 'late', data: {} });
        return end(late).finally(async () => {
          const written = run.thread.ports.writer.ensureComment({ topic: 'run:late', body: 'Late.' });
          await expect(written).rejects.toMatchObject({ code: 'owned' });
        });
      });
      const refused: unknown = await setup.carry().catch((error: unknown) => error);
      expect(isTakenOver(refused)).toBe(true);
      expect(await setup.read()).toEqual(shown);
    },
  );
});
