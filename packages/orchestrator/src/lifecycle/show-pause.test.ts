import { randomUUID } from 'node:crypto';
import { formatTaskKey, PlatformError, toTaskKeyJson } from '@agent/platforms';
import { createDoorbell } from '@agent/platforms/sources';
import { createMemoryPlace, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFacts } from '../../test/facts-for-test.ts';
import { openDoIntent } from '../../test/memory-outbox.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import type { BoardEvent } from '../board/board-event.ts';
import { parseRunSettings } from '../config/run-settings.ts';
import { listPauseIntents, toReactionIntent } from '../intents/intents.ts';
import { createPerformEntry } from '../outbox/perform-entry.ts';
import { createSettleRun } from '../outbox/settle-run.ts';
import { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import { createOpenProgress } from '../progress/open-progress.ts';
import { createClaims } from '../run/run-claim.ts';
import { toFactsJson } from '../run/run-facts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { parseStatusNote } from '../run/status-comment.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createMakeRun } from './activate.ts';
import { createShowPause } from './show-pause.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

const labels = { waiting: 'agent', processing: 'p', completed: 'c', failed: 'f', paused: 'z', stopped: 's' };

/** A run that an earlier process paused, and could not show so. */
async function setUp() {
  const { platform, key, clock, logger } = bed;
  const now = () => clock.ms;
  const place = createMemoryPlace();
  const earlier = createMemoryRunStore<ModelMessage>({ place, now });
  const uuid = randomUUID();
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const extra = toFactsJson(makeFacts({ number: key.number }));
  const { metadata, outbox } = await earlier.open({ uuid, ...thread, user: 'alice', config: {}, extra });
  const commentId = bed.say('alice', '/pause');
  await outbox.open({ id: 'push:1f3a', kind: 'push', data: { branch: 'b', unfinished: false } });
  await outbox.open(toReactionIntent({ meaning: 'done', commentId }));
  const position = { line: 7, check: 'ab' };
  for (const intent of listPauseIntents({ uuid, count: 0, body: 'Paused.', position }))
    await outbox.open(intent);
  await earlier.pause(uuid, { lastError: null, planningState: null });

  const store = createMemoryRunStore<ModelMessage>({ place, now });
  const signal = new AbortController().signal;
  const controls = {
    request: async () => {},
    read: async () => [],
    list: async () => [],
    remove: async () => {},
  };
  const doIntent = openDoIntent(now);
  const claims = createClaims({
    ...{ enabled: true, isKnown: async () => true, timeZone: 'UTC', hearsCommands: true, pausedDays: 30 },
    ...{ doIntent, now, logger },
  });
  const makeRun = createMakeRun({
    ...{
      controls,
      pauseSignal: { isSet: async () => false },
      claims,
      doIntent,
      reactions: true,
      shutdown: signal,
      now,
      logger,
    },
    observe: () => {},
    doorbell: createDoorbell(),
    checks: { pauseEveryNth: 1, threadEveryNth: 1, threadIntervalMs: 0 },
    openProgress: createOpenProgress({
      doorbell: { hasNotified: () => false },
      ...{
        readCost: async () => null,
        listWaitingTools: async () => [],
        repeat: () => () => {},
        sleep: async () => {},
      },
      ...{ settings: parseRunSettings(), redactOutgoing: (text) => text, shutdown: signal, now },
    }),
  });
  const readOverview = async () => ({ running: [], pausing: [], paused: [], recent: [], damaged: [] });
  const seen: BoardEvent[] = [];
  const pauses: number[] = [];
  const unsettled = new UnsettledRuns({
    ...{ observe: (event) => void seen.push(event), logger, now, shutdown: signal, once: false },
    sleep: async (milliseconds) => void pauses.push(milliseconds),
  });
  const closed: string[] = [];
  const show = createShowPause({
    ...{ store, makeRun },
    settle: createSettleRun({
      perform: createPerformEntry({ lastLook: async () => [], readOverview }),
      controls,
      now,
    }),
    unsettled,
  });
  const configured: Partial<ConfiguredPlatform> = {
    platform,
    trigger: createLabelTrigger(platform, labels),
    openSource: ({ comments }) => ({ ...comments, close: () => void closed.push('closed') }),
  };
  const ports = platform.openThread(key);
  return {
    ...{ seen, pauses, closed, commentId },
    /** Resolves when nothing is being tried any more. */
    show: async () => {
      await show({ paused: { uuid, metadata }, platform: configured as ConfiguredPlatform });
      await expect.poll(() => unsettled.count).toBe(0);
    },
    states: async () => (await store.openOutbox(uuid).list()).map(({ id, state }) => `${id} ${state}`),
    listOwn: async () => (await ports.ownComments?.list({})) ?? [],
    labels: () => platform.people.labelsOn(key),
  };
}

describe('a pause that an earlier process could not show', () => {
  it('is shown by the next one, with the answers to commands, and nothing else of the run is touched [NX-129]', async () => {
    const { show, states, listOwn, labels, pauses, closed, commentId } = await setUp();
    await show();
    const names = ['comment', 'status-comment', 'label'].map((name) => `pause:0:${name} done`);
    expect(await states()).toEqual(['push:1f3a open', `reaction:done:${commentId} done`, ...names]);
    expect(labels()).toContain('z');
    const own = await listOwn();
    expect(own.map(({ body }) => body.includes('Paused.'))).toContain(true);
    // The status comment notes where the record stood at the pause.
    const notes = own.flatMap(({ note }) => parseStatusNote(note) ?? []);
    expect(notes).toMatchObject([{ state: 'paused', position: { line: 7, check: 'ab' } }]);
    expect([pauses, closed]).toEqual([[], ['closed']]);
    await show();
    expect(await listOwn()).toHaveLength(own.length);
  });

  it('is tried again while the run waits, where it is refused still [NX-129]', async () => {
    const { show, states, seen, pauses, labels } = await setUp();
    const error = new PlatformError('The token may not label.', { code: 'forbidden' });
    bed.platform.failNext({ operation: 'addLabel', error, times: 3 });
    await show();
    expect(pauses).toEqual([15_000, 30_000, 60_000]);
    const reason = expect.stringContaining('label: The token may not label.');
    expect(seen[0]).toMatchObject({ type: 'outbox', open: { kinds: ['label'], reason } });
    expect(seen.at(-1)).toMatchObject({ type: 'outbox', open: null });
    expect([(await states()).at(-1), labels()]).toEqual(['pause:0:label done', ['z']]);
  });
});
