import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlace, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { parseRunSettings } from '../config/run-settings.ts';
import { createDoIntent } from '../outbox/do-intent.ts';
import { createOpenProgress } from '../progress/open-progress.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createMakeRun } from './activate.ts';
import { createAttempt } from './attempt.ts';
import type { Converse } from './converse.ts';
import { createExecute } from './execute.ts';
import { createClaims } from './run-claim.ts';
import { toFactsJson } from './run-facts.ts';
import { isTakenOver } from './run-takeover.ts';
import type { ConfiguredPlatform } from './run-thread.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

const labels = { waiting: 'agent', processing: 'p', completed: 'c', failed: 'f', paused: 'z', stopped: 's' };
const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
const nothing = async (): Promise<never> => {
  throw new Error('This is not to be reached.');
};

/** A run at work in this process, whose conversation goes like this, while another one takes it over. */
async function setUp(converse: Converse) {
  const { platform, key, clock, logger } = bed;
  const now = () => clock.ms;
  const place = createMemoryPlace();
  const store = createMemoryRunStore<ModelMessage>({ place, owner: await place.acquireOwnership(), now });
  const uuid = randomUUID();
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const facts = { kind: 'issue', number: key.number, title: 'x', url: 'https://forge.test/1', locale: 'en' };
  const extra = toFactsJson({ ...facts, repository: null, handover: null } as Parameters<
    typeof toFactsJson
  >[0]);
  const open = await store.open({ uuid, ...thread, user: 'alice', config: {}, extra });
  const shutdown = new AbortController().signal;
  const controls = {
    request: async () => {},
    read: async () => [],
    list: async () => [],
    remove: async () => {},
  };
  const makeRun = createMakeRun({
    ...{ controls, pauseSignal: { isSet: async () => false }, reactions: true, shutdown, now, logger },
    observe: () => {},
    claims: createClaims({
      ...{ enabled: true, isKnown: async () => true, timeZone: 'UTC', hearsCommands: true, pausedDays: 30 },
      ...{ now, logger },
    }),
    checks: { pauseEveryNth: 1, threadEveryNth: 1, threadIntervalMs: 0 },
    openProgress: createOpenProgress({
      doorbell: { hasNotified: () => false },
      ...{ readCost: async () => null, repeat: () => () => {}, sleep: async () => {} },
      ...{ settings: parseRunSettings(), redactOutgoing: (text) => text, shutdown, now },
    }),
  });
  const trigger = createLabelTrigger(platform, labels);
  const openSource: ConfiguredPlatform['openSource'] = ({ comments }) => ({ ...comments, close: () => {} });
  const configured: Partial<ConfiguredPlatform> = { platform, trigger, openSource };
  const made = makeRun(open, { platform: configured as ConfiguredPlatform });
  const doIntent = createDoIntent({ controls, now });
  const attempt = createAttempt({
    openRunInbox: async () => ({ guard: { nonce: '' }, summarize: nothing }) as never,
    prepareCommands: () => expect.unreachable('this run has no worktree'),
    openTools: () => ({ close: async () => {} }) as never,
    openCommentTools: async () => ({}),
    waitForModel: () => ({ settle: async () => {} }) as never,
    ...{ converse, doIntent, shutdown, redactOutgoing: (text) => text },
    deliver: { deliverOrAsk: nothing, deliverUnfinished: nothing },
    judge: async (_run, { outcome }) => outcome,
    followUp: { enter: async () => null, openTools: async () => null },
  });
  const execute = createExecute({
    ...{ attempt, pause: nothing, conclude: nothing, withdraw: nothing, giveUpModel: () => {} },
    followUp: { wait: async () => null },
    ...{ observe: () => {}, sleep: async () => {}, shutdown },
  });
  const { finalSummary, crashesInARow, leave } = open;
  const read = async () => ({
    comments: platform.people.commentsOn(key).map(({ body }) => body),
    labels: platform.people.labelsOn(key),
  });
  return { place, read, carry: () => execute({ ...made, finalSummary, crashesInARow, leave }, null) };
}

type Bed = Awaited<ReturnType<typeof setUp>>;

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
      let shown: Awaited<ReturnType<Bed['read']>> | null = null;
      const setup: Bed = await setUp(async (run) => {
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
