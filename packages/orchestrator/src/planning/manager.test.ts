import { type AnswerSource, type PrePlanningRequest, prePlanningConfigSchema } from '@agent/pre-planning';
import type { RunTool } from '@agent/runner';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sharesOf } from '../../test/shares-of.ts';
import { createKnownComments, type SaidChange } from '../plan/known-comments.ts';
import { createCostMeter, noCost } from '../plan/metering.ts';
import type { KeptPrePlanning } from '../plan/pre-planning-files.ts';
import { createTextGuard } from '../thread/text-guard.ts';
import { createPrePlanningCheckpoint } from './checkpoint.ts';
import { createManagers, type ManagedParts, type ManagedRun } from './manager.ts';

const logger = pino({ level: 'silent' });
const guard = createTextGuard({
  nonce: 'a-nonce-of-a-test-run',
  clean: async (text) => text,
  isTrusted: async () => true,
  logger,
});
const shutdown = new AbortController().signal;
const request: PrePlanningRequest = {
  author: 'mallory',
  isTrusted: true,
  title: 'The total is wrong',
  body: '',
  labels: [],
  comments: [],
  history: null,
};
const said: SaidChange = {
  kind: 'added',
  comment: {
    id: '1',
    author: { id: '1', login: 'alice', kind: 'person' },
    body: 'Short, please.',
    createdAt: '2026-03-01T10:00:00Z',
    updatedAt: null,
  },
};

const need = (id: string) => ({
  id,
  description: id,
  collection_method: { tool: 'read', parameters: { id } },
});
const answers: Readonly<Record<string, object>> = {
  request_understanding: {
    request_understanding: { task_type: 'x', primary_goal: 'y', understanding_confidence: 0.9 },
  },
  information_planning: { information_needs: { required_information: [need('slow'), need('quick')] } },
};
const source: AnswerSource = {
  ask: async ({ name, schema }) => {
    const answer = schema.parse(answers[name]);
    return { status: 'answered', answer, mode: 'format', way: 'direct', calls: 1 };
  },
};

/** What a run that pre-plans has kept, time for time; `tool` reads. */
async function startPreparation(tool: RunTool, onSave: (kept: KeptPrePlanning) => void) {
  const known = createKnownComments([]);
  const createManager = createManagers({
    prePlanning: { openSource: () => source, config: prePlanningConfigSchema.parse({}) },
    timeZone: 'UTC',
    postsNotices: true,
    shares: sharesOf(8_000),
    secrets: { redactOutgoing: (text) => text, hideKnownSecrets: (text) => text },
    now: () => 0,
    observe: () => undefined,
  });
  const writer = { ensureComment: async () => undefined };
  const thread = { ports: { writer } };
  const progress = { changed: async () => undefined };
  const run = { uuid: 'u', facts: { locale: 'en' }, logger, thread, progress } as unknown as ManagedRun;
  const rejections = { learn: () => undefined, follow: () => undefined };
  const preparation = {
    runInbox: { guard, rejections },
    tools: { read: tool },
    files: { save: async (kept: KeptPrePlanning) => onSave(kept), details: { save: async () => undefined } },
    kept: null,
    known,
    meter: createCostMeter(noCost, { now: () => 0 }),
    isUsedUp: () => false,
    plans: true,
    source,
  } as unknown as ManagedParts;
  const { manager } = await createManager(run, preparation);
  return { manager, known };
}

const count = ({ knownComments, state }: KeptPrePlanning) => ({
  known: knownComments.length,
  told: z.object({ new_comments: z.array(z.unknown()) }).parse(state).new_comments.length,
});

describe('what a run keeps while it pre-plans', () => {
  it('calls a comment known only together with the phase that was told it, whatever else is saved meanwhile [PP-57, PP-58]', async () => {
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const recorded = Promise.withResolvers<void>();
    const kept: KeptPrePlanning[] = [];
    let isOnItsWay = false;
    const tool: RunTool = {
      description: 'Reads.',
      inputSchema: z.object({ id: z.string() }),
      readOnly: true,
      execute: async (input) => {
        begun.resolve();
        if (JSON.stringify(input).includes('slow')) await released.promise;
        return 'x';
      },
    };
    const { manager, known } = await startPreparation(tool, (one) => {
      kept.push(one);
      if (isOnItsWay) recorded.resolve();
    });
    let looks = 0;
    const checkpoint = createPrePlanningCheckpoint({
      runInbox: {
        guard,
        runCommands: async () => {
          if (manager.getState().current_subphase === 'collection') looks += 1;
          // Before the collection, the first item, and now the second, with the first under way.
          if (looks !== 3) return [];
          await begun.promise;
          return [{ ...said, previousBody: null, revision: 'r' }];
        },
      },
      signals: {
        read: async () => {
          isOnItsWay = known.list().length > 0 && manager.getState().new_comments.length === 0;
          if (isOnItsWay) {
            released.resolve();
            await recorded.promise;
          }
          return 'none';
        },
      },
      missed: [],
      known,
      isUsedUp: () => false,
      shutdown,
      logger,
    });
    await manager.execute({ request, checkpoint: checkpoint.pass });
    expect(kept.map(count).filter(({ known, told }) => known !== told)).toEqual([]);
    expect(kept.map(count)).toContainEqual({ known: 1, told: 1 });
    expect(kept.length).toBeGreaterThan(4);
  });
});
