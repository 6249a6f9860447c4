import { createMemoryPlatform } from '@agent/platforms/memory';
import { ContextStoreError, type NewIntent } from '@agent/run-store';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { DeferredError } from '../intents/call-with-retry.ts';
import type { Run } from '../run/run.ts';
import { formatEndDetails } from '../run/run-ending.ts';
import { type CommittedEnd, commitEnd } from './conclude.ts';

const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };

describe('an end', () => {
  // People read "failed", and then saw the same comment turn into "completed".
  it('that the disk refuses is told to nobody, and is tried again until it is written down [NX-93]', async () => {
    const platform = createMemoryPlatform({ answersOnly: true });
    const key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
    const outbox = openMemoryOutbox({ now: () => 0 });
    let refusals = 2;
    const run = {
      uuid: 'u',
      facts: { handover: null },
      outbox,
      logger: pino({ level: 'silent' }),
      thread: { ports: platform.openThread(key) },
      journal: {
        finish: async (_: unknown, { intents = [] }: { readonly intents?: readonly NewIntent[] }) => {
          refusals -= 1;
          if (refusals >= 0) throw new ContextStoreError('No space left.', { code: 'storage-full' });
          for (const intent of intents) await outbox.open(intent);
        },
      },
    } as unknown as Run;
    const delivery = { branch: null, commit: null, changeRequest: null, changedFiles: [] };
    const words = { finalComment: 'Task failed', detection: null, plan: null };
    const details = formatEndDetails({ ...words, delivery });
    const end = { status: 'failed', reason: 'x', finalText: '', statistics, details } as const;
    const finished: CommittedEnd[] = [];
    const finish = async (_: Run, committed: CommittedEnd) => void finished.push(committed);

    const refused = await commitEnd(run, end, finish).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DeferredError);
    const again = await (refused as DeferredError).again?.().catch((error: unknown) => error);
    expect(again).toBeInstanceOf(DeferredError);
    expect(platform.people.commentsOn(key)).toEqual([]);
    expect([await outbox.list(), finished]).toEqual([[], []]);

    await (again as DeferredError).again?.();
    expect(finished).toEqual([end]);
    expect((await outbox.list()).map(({ kind, state }) => `${kind} ${state}`)).toContain('comment open');
  });
});
