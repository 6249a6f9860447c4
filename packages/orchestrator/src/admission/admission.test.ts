import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlace, createMemoryRunReader, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFacts } from '../../test/facts-for-test.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { type Handover, toFactsJson } from '../run/run-facts.ts';
import type { OpenedThread } from '../run/run-thread.ts';
import { createHandoverRecords } from '../triggers/handover-records.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createAdmission } from './admission.ts';
import { UnacceptedRepositoryError } from './known-repositories.ts';
import { ThreadHeldError } from './thread-held.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

const minuteMs = 60_000;
const alice = { id: '1', login: 'alice', kind: 'person' } as const;
const labels = { waiting: 'agent', processing: 'p', completed: 'c', failed: 'f', paused: 'z', stopped: 's' };

/** A thread that Alice gives again, and a run of it that has ended, whose end the thread does not show. */
async function setUp(
  answered: { readonly begunAt: string | null; readonly resumedAt?: string },
  another?: UnacceptedRepositoryError,
) {
  const { platform, key, clock, logger } = bed;
  const now = () => clock.ms;
  const place = createMemoryPlace();
  const store = createMemoryRunStore<ModelMessage>({ place, now });
  const uuid = randomUUID();
  const handover: Handover | null =
    answered.begunAt === null ? null : { by: alice, at: answered.begunAt, head: null, commentId: null };
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const extra = toFactsJson(makeFacts({ number: key.number, handover }));
  const { journal, outbox } = await store.open({ uuid, ...thread, user: 'alice', config: {}, extra });
  if (answered.resumedAt !== undefined) {
    const data = { state: 'processing', takes: answered.resumedAt };
    await outbox.open({ id: 'label:resumed:1', kind: 'label', data });
  }
  const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
  const comment = { id: 'end:comment', kind: 'comment', data: { topic: 't', body: 'b' } };
  await journal.finish(
    { status: 'completed', reason: null, finalText: '', statistics },
    { intents: [comment] },
  );
  const admission = createAdmission({
    ...{ store, locale: 'en', branchPrefix: 'agent', shutdown: new AbortController().signal, now, logger },
    handovers: createHandoverRecords(bed.openStorage().notes, { logger }),
    repositories: {
      require: async () => {
        if (another !== undefined) throw another;
      },
    },
    unanswered: { read: async () => [] },
    listRunning: createMemoryRunReader(place).listRunning,
  });
  const ports = platform.openThread(key);
  const trust = { everyone: false, collaborators: true, isNamed: () => false };
  const opened = { ports, platform: { platform, trust, trigger: createLabelTrigger(platform, labels) } };
  return {
    uuid,
    giveBy: (by: string) => platform.people.setLabels(key, [labels.waiting], { by }),
    comments: () => platform.people.commentsOn(key),
    giveAgain: () => platform.people.setLabels(key, [labels.waiting], { by: 'alice' }),
    judge: async (retryOf?: string) =>
      admission.judge(opened as unknown as OpenedThread, {
        thread: await ports.reader.readThread(),
        listing: await ports.comments.listComments({ since: null }),
        retryOf,
      }),
  };
}

const timeAt = (minutes: number): string => new Date(bed.clock.ms + minutes * minuteMs).toISOString();

describe('a thread that does not show the end of its run yet', () => {
  it('begins no other run by the request that the run answered, be it that of its beginning or the one that resumed it [NX-95]', async () => {
    for (const answered of [
      { begunAt: timeAt(0) },
      { begunAt: timeAt(-60), resumedAt: timeAt(0) },
      { begunAt: null, resumedAt: timeAt(0) },
    ]) {
      const { giveAgain, judge, uuid } = await setUp(answered);
      giveAgain();
      await expect(judge()).rejects.toThrow(ThreadHeldError);
      await expect(judge()).rejects.toThrow(uuid);
      // Whoever retries that run answers its request once more.
      expect(await judge(uuid)).not.toBeNull();
    }
  });

  it('begins another run by a request that was made after it [NX-95]', async () => {
    const { giveAgain, judge } = await setUp({ begunAt: timeAt(-60), resumedAt: timeAt(-1) });
    giveAgain();
    expect(Date.parse((await judge())?.facts.handover?.at ?? '')).toBe(bed.clock.ms);
  });
});

describe('a repository that took over the name of another one', () => {
  it('gets no comment that refuses a task, before an operator accepts it [NX-28]', async () => {
    const another = new UnacceptedRepositoryError('octo/hello');
    const refused = await setUp({ begunAt: timeAt(-60) }, another);
    refused.giveBy('mallory');
    await expect(refused.judge()).rejects.toThrow(another);
    expect(refused.comments()).toEqual([]);
    const known = await setUp({ begunAt: timeAt(-60) });
    known.giveBy('mallory');
    expect(await known.judge()).toBeNull();
    expect(known.comments()).toHaveLength(1);
  });
});
