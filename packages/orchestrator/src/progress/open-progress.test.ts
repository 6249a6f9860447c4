import { createMemoryPlatform } from '@agent/platforms';
import type { PlanningFact } from '@agent/runner/planning';
import { describe, expect, it } from 'vitest';
import { parseRunSettings } from '../config/run-settings.ts';
import type { RunClaim } from '../run/run-claim.ts';
import { createRunAudience, writingFor } from '../run/run-thread.ts';
import { createOpenProgress, type ShownRun } from './open-progress.ts';

const noClaim: RunClaim = {
  isKept: false,
  hold: async () => undefined,
  renew: async () => undefined,
  end: async () => undefined,
  withdraw: async () => undefined,
};
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const facts: readonly PlanningFact[] = [
  { type: 'phase', phase: 'planning' },
  { type: 'loop_mode', reason: 'bad_plan', details: ['no such tool'] },
];

/** A record that several processes open, one after the other. */
function openRecord() {
  const memory = createMemoryPlatform();
  const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
  const kept = new Map<string, unknown>([['plan_mode.json', { version: 1, planned: true }]]);
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
  const start = (style: 'single' | 'seed', progress = false) => {
    const ports = memory.openThread(key);
    const audience = createRunAudience(state);
    const settings = parseRunSettings({
      report: { style },
      planning: { progress_comment: { enabled: progress } },
    });
    const run = {
      ...{ uuid: '6f7b1c9e-2d3a-4b5c-8d7e-9f0a1b2c3d4e', locale: 'en', startedAt: '2026-05-01T03:00:00Z' },
      ...{ state, journal, logger: silent },
      thread: { audience, platform: {}, ports: { ...ports, writer: writingFor(audience, ports.writer) } },
    } as unknown as ShownRun;
    const shutdown = new AbortController().signal;
    const open = createOpenProgress({ settings, redactOutgoing: (text) => text, shutdown, now: () => 0 });
    return open(run).show(noClaim);
  };
  return { start, bodies: () => memory.people.commentsOn(key).map(({ body }) => body) };
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

  it('is one for each thing, or one progress comment, in the style of the seeds [X5, NX-127]', async () => {
    const single = openRecord();
    await single.start('seed').changed('phase');
    await single.start('seed').changed('phase');
    expect(single.bodies()).toEqual([expect.stringContaining('⚠️ No plan came about')]);
    const one = openRecord();
    await one.start('seed', true).changed('phase');
    await one.start('seed', true).rest('ended');
    expect(one.bodies()).toEqual([expect.stringMatching(/# 🤖 Task Progress[\s\S]*\*\*Status:\*\* ended/)]);
  });
});
