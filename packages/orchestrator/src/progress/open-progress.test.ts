import { createMemoryPlatform } from '@agent/platforms/memory';
import type { PlanningFact } from '@agent/runner/planning';
import { describe, expect, it } from 'vitest';
import { planFact } from '../../test/plan-fact.ts';
import { parseRunSettings } from '../config/run-settings.ts';
import type { RunClaim } from '../run/run-claim.ts';
import { createRunAudience, writingFor } from '../run/run-thread.ts';
import { createOpenProgress, type ShownRun } from './open-progress.ts';

const noClaim: RunClaim = {
  isKept: false,
  hold: async () => undefined,
  renew: async () => undefined,
  rest: async () => undefined,
  end: async () => undefined,
  correct: async () => undefined,
  commentId: () => null,
  withdraw: async () => undefined,
};
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const withoutPlan: readonly PlanningFact[] = [
  { type: 'phase', phase: 'planning' },
  { type: 'loop_mode', reason: 'bad_plan', details: ['no such tool'] },
];
const reflected = (reply: string | null): PlanningFact => ({
  ...{ type: 'reflection', trigger: 'comment' },
  evaluation: {
    phase: 'reflection',
    reflection: {
      ...{ action_evaluated: null, status: 'success', evaluation: '', issues_identified: [] },
      ...{ root_cause: null, plan_revision_needed: false, reasoning: '' },
    },
    ...{ plan_revision: null, reply, comment: null },
  },
});

interface Start {
  /** True for the one progress comment of the seeds. */
  readonly progress: boolean;
  /** The platform's. */
  readonly name: string;
  /** True where webhooks ring. */
  readonly isRung: boolean;
  readonly now: () => number;
}

const acted: Extract<PlanningFact, { type: 'action' }> = {
  ...{ type: 'action', task_id: 'task_1', state: 'failed', attempt: 1, detail: '', evidence: [] },
};

/** A record that several processes open, one after the other. */
function openRecord(facts: readonly PlanningFact[] = withoutPlan) {
  const memory = createMemoryPlatform();
  const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
  let edits = 0;
  const kept = new Map<string, unknown>([['plan_mode.json', { planned: true }]]);
  const state = {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, value: unknown) => void kept.set(name, value),
  };
  const journal = {
    read: async function* () {
      yield { type: 'message' as const, number: 1, message: { role: 'user' as const, content: 'Hi' } };
      for (const data of facts)
        yield { type: 'fact' as const, name: 'planning', data, timestamp: '2026-05-01T03:00:00Z' };
    },
  };
  const start = (
    style: 'single' | 'seed',
    { progress = false, name = 'gitlab', isRung = false, now = () => 0 }: Partial<Start> = {},
  ) => {
    const ports = memory.openThread(key);
    const writer: typeof ports.writer = {
      ensureComment: async (comment) => {
        const ensured = await ports.writer.ensureComment(comment);
        if (ensured.change === 'updated') edits += 1;
        return ensured;
      },
    };
    const audience = createRunAudience(state);
    const settings = parseRunSettings({
      report: { style },
      planning: { progress_comment: { enabled: progress } },
    });
    const run = {
      ...{ uuid: '6f7b1c9e-2d3a-4b5c-8d7e-9f0a1b2c3d4e', startedAt: '2026-05-01T03:00:00Z' },
      facts: { locale: 'en', handover: null },
      ...{ state, journal, logger: silent },
      thread: {
        audience,
        platform: { platform: { name } },
        ports: { ...ports, writer: writingFor(audience, writer) },
      },
    } as unknown as ShownRun;
    const shutdown = new AbortController().signal;
    const doorbell = { hasNotified: () => isRung };
    const redactOutgoing = (text: string) => text;
    const open = createOpenProgress({
      ...{
        settings,
        redactOutgoing,
        doorbell,
        shutdown,
        now,
        readCost: async () => null,
        listWaitingTools: async () => [],
      },
      ...{ repeat: () => () => {}, sleep: async () => {} },
    });
    return open(run).show(noClaim);
  };
  return { start, edits: () => edits, bodies: () => memory.people.commentsOn(key).map(({ body }) => body) };
}

describe('the comment of a run whose process died', () => {
  it('is made anew of the record by the next process, and is the same one [NX-126]', async () => {
    const { start, bodies } = openRecord();
    await start('single').changed('phase');
    const before = bodies();
    expect(before).toHaveLength(1);
    expect(before[0]).toContain('no such tool');
    await start('single').changed('phase');
    expect(bodies()).toEqual(before);
    await start('single').rest('ended');
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).not.toContain('**Now:**');
  });

  it('leaves an answer to people to a comment of its own, which stands there once [NX-126] [NX-127]', async () => {
    for (const style of ['single', 'seed'] as const) {
      const facts = [planFact('task_1'), reflected('Two steps.'), reflected(null), reflected('By Friday.')];
      const { start, bodies } = openRecord(facts);
      await start(style).changed('phase');
      await start(style).changed('phase');
      await start(style).rest('paused');
      expect(bodies()).toHaveLength(3);
      expect(bodies().slice(1)).toEqual([
        expect.stringContaining('💬 Two steps.'),
        expect.stringContaining('💬 By Friday.'),
      ]);
    }
  });

  it('is one for each thing, or one progress comment, in the style of the seeds [X5, NX-127]', async () => {
    const single = openRecord();
    await single.start('seed').changed('phase');
    await single.start('seed').changed('phase');
    expect(single.bodies()).toEqual([expect.stringContaining("⚠️ The model didn't produce a usable plan")]);
    const one = openRecord();
    await one.start('seed', { progress: true }).changed('phase');
    await one.start('seed', { progress: true }).rest('ended');
    expect(one.bodies()).toEqual([
      expect.stringMatching(/# 🤖 Task progress[\s\S]*\*\*Status:\*\* finished/),
    ]);
  });

  it('is edited for steps once a minute where each edit costs a request, and else, in the one comment of the seeds, every 5 seconds [X5, NX-127]', async () => {
    const countEdits = async (style: 'single' | 'seed', at: Partial<Start> = {}) => {
      let seconds = 0;
      const facts: PlanningFact[] = [planFact('task_1')];
      const { start, edits } = openRecord(facts);
      const progress = start(style, { progress: true, now: () => seconds * 1_000, ...at });
      await progress.changed('phase');
      for (; seconds < 60; seconds += 1) {
        facts.push({ ...acted, detail: `At ${seconds}.` });
        await progress.changed('step');
      }
      return edits();
    };
    expect(await countEdits('seed', { name: 'github' })).toBe(0);
    expect(await countEdits('seed', { name: 'github', isRung: true })).toBe(11);
    expect(await countEdits('seed', { name: 'gitlab' })).toBe(11);
    expect(await countEdits('single', { name: 'gitlab', isRung: true })).toBe(0);
  });
});
