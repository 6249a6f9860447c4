import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createDoorbell } from '@agent/platforms/sources';
import { createMemoryPlace, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import { expect } from 'vitest';
import { parseRunSettings } from '../src/config/run-settings.ts';
import { createDoIntent } from '../src/intents/do-intent.ts';
import { createMakeRun } from '../src/lifecycle/activate.ts';
import { createAttempt } from '../src/lifecycle/attempt.ts';
import type { Converse } from '../src/lifecycle/converse.ts';
import { createExecute } from '../src/lifecycle/execute.ts';
import { createOpenProgress } from '../src/progress/open-progress.ts';
import { createClaims } from '../src/run/run-claim.ts';
import { toFactsJson } from '../src/run/run-facts.ts';
import type { ConfiguredPlatform } from '../src/run/run-thread.ts';
import { createLabelTrigger } from '../src/triggers/label-trigger.ts';
import { makeFacts } from './facts-for-test.ts';
import type { PastBed } from './past-bed.ts';

const names = { waiting: 'agent', processing: 'p', completed: 'c', failed: 'f', paused: 'z', stopped: 's' };
export const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
export const nothing = async (): Promise<never> => {
  throw new Error('This is not to be reached.');
};

/** A run at work in this process, whose conversation goes like this. */
export async function makeAttemptBed({ platform, key, clock, logger }: PastBed, converse: Converse) {
  const now = () => clock.ms;
  const place = createMemoryPlace();
  const store = createMemoryRunStore<ModelMessage>({ place, owner: await place.acquireOwnership(), now });
  const uuid = randomUUID();
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const extra = toFactsJson(makeFacts({ number: key.number }));
  const open = await store.open({ uuid, ...thread, user: 'alice', config: {}, extra });
  const shutdown = new AbortController().signal;
  const controls = {
    request: async () => {},
    read: async () => [],
    list: async () => [],
    remove: async () => {},
  };
  const doIntent = createDoIntent({ controls, now });
  const makeRun = createMakeRun({
    ...{ controls, pauseSignal: { isSet: async () => false }, reactions: true, shutdown, now, logger },
    observe: () => {},
    doorbell: createDoorbell(),
    claims: createClaims({
      ...{ enabled: true, isKnown: async () => true, timeZone: 'UTC', hearsCommands: true, pausedDays: 30 },
      ...{ doIntent, now, logger },
    }),
    doIntent,
    checks: { pauseEveryNth: 1, threadEveryNth: 1, threadIntervalMs: 0 },
    openProgress: createOpenProgress({
      doorbell: { hasNotified: () => false },
      ...{
        readCost: async () => null,
        listWaitingTools: async () => [],
        repeat: () => () => {},
        sleep: async () => {},
      },
      ...{ settings: parseRunSettings(), redactOutgoing: (text) => text, shutdown, now },
    }),
  });
  const openSource: ConfiguredPlatform['openSource'] = ({ comments }) => ({ ...comments, close: () => {} });
  const configure = (processing: string) => {
    const trigger = createLabelTrigger(platform, { ...names, processing });
    const configured: Partial<ConfiguredPlatform> = { platform, trigger, openSource };
    return makeRun(open, { platform: configured as ConfiguredPlatform });
  };
  let made = configure(names.processing);
  const attempt = createAttempt({
    openRunInbox: async () => ({ guard: { nonce: '' }, summarize: nothing }) as never,
    openListener: nothing,
    prepareCommands: () => expect.unreachable('this run has no worktree'),
    openTools: () => ({ close: async () => {} }) as never,
    openCommentTools: async () => ({}),
    waitForModel: () => ({ settle: async () => {} }) as never,
    ...{ converse, doIntent, shutdown, redactOutgoing: (text) => text },
    deliver: {
      ...{ deliverOrAsk: nothing, deliverUnfinished: nothing },
      wait: async (_run, attempted) => attempted,
    },
    judge: async (_run, { outcome }) => outcome,
    followUp: { enter: async () => null, openTools: async () => null },
  });
  const execute = createExecute({
    outages: { giveUpModel: () => {}, spendingOf: () => null },
    ...{ attempt, pause: nothing, conclude: nothing, withdraw: nothing },
    followUp: { wait: async () => null },
    ...{ observe: () => {}, sleep: async () => {}, shutdown },
  });
  const { finalSummary, crashesInARow, leave } = open;
  const read = async () => ({
    comments: platform.people.commentsOn(key).map(({ body }) => body),
    labels: platform.people.labelsOn(key),
  });
  return {
    place,
    read,
    outbox: made.run.outbox,
    carry: () => execute({ ...made, finalSummary, crashesInARow, leave }, null),
    /** Gives the label of a running task another name, as a process does that starts. */
    rename: (processing: string) => {
      made = configure(processing);
    },
  };
}

export type AttemptBed = Awaited<ReturnType<typeof makeAttemptBed>>;
