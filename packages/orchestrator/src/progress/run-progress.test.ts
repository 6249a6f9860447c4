import type { KnownComment, TaskKey } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDoIntent, openMemoryOutbox } from '../../test/memory-outbox.ts';
import { createClaims } from '../run/run-claim.ts';
import type { RunThread } from '../run/run-thread.ts';
import { createRunAudience, writingFor } from '../run/run-thread.ts';
import { createEditBudget, type EditBudget } from './edit-budget.ts';
import { formatSeparateComment } from './format-progress.ts';
import { createPulse } from './pulse.ts';
import { createRunProgress } from './run-progress.ts';

const uuid = '6f7b1c9e-2d3a-4b5c-8d7e-9f0a1b2c3d4e';

let time = 0;
let platform: MemoryPlatform;
let key: TaskKey;
let sections = '';
let isReachable = true;
let warnings: string[] = [];
let edits = 0;
let internal = new Set<string>();
const logger = {
  debug() {},
  info() {},
  warn: (_: object, message: string) => void warnings.push(message),
  error() {},
  child: () => logger,
};

beforeEach(() => {
  time = Date.parse('2026-05-01T03:00:00Z');
  platform = createMemoryPlatform({ now: () => new Date(time) });
  key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
  sections = '';
  isReachable = true;
  warnings = [];
  edits = 0;
  internal = new Set();
});

const open = ({
  enabled = true,
  isInternal = false,
  budget = createEditBudget({ now: () => time }),
}: {
  readonly enabled?: boolean;
  readonly isInternal?: boolean;
  readonly budget?: EditBudget;
} = {}) => {
  const ports = platform.openThread(key);
  const writer: typeof ports.writer = {
    ensureComment: async (comment) => {
      if (!isReachable) throw new Error('locked');
      const ensured = await ports.writer.ensureComment(comment);
      if (ensured.change === 'updated') edits += 1;
      if (comment.internal === true) internal.add(comment.topic);
      return ensured;
    },
  };
  const ownComments = ports.ownComments && {
    ...ports.ownComments,
    edit: async (comment: KnownComment) => {
      if (!isReachable) throw new Error('locked');
      const change = await ports.ownComments?.edit(comment);
      if (change === 'updated') edits += 1;
      return change ?? 'gone';
    },
  };
  const kept = new Map(isInternal ? [['heard_internal', '']] : []);
  const audience = createRunAudience({
    read: async (name) => kept.get(name) ?? null,
    write: async (name) => void kept.set(name, ''),
  });
  const named = { uuid, locale: 'en' as const, logger };
  const thread = { ports: { writer: writingFor(audience, writer) }, audience } as Pick<
    RunThread,
    'audience' | 'ports'
  >;
  const claim = createClaims({
    enabled,
    isKnown: async () => true,
    timeZone: 'UTC',
    hearsCommands: true,
    pausedDays: 30,
    doIntent: openDoIntent(() => time),
    now: () => time,
    logger,
  }).of({
    ...named,
    kind: 'issue',
    startedAt: new Date(time).toISOString(),
    thread: { writer, ownComments },
    position: () => ({ line: 1, check: 'ab' }),
    outbox: openMemoryOutbox({ now: () => time }),
    onNoted: async () => undefined,
    readSections: async () => ((await audience.isInternal()) ? '' : sections),
  });
  const read = async () =>
    sections === '' ? [] : [{ topic: 'progress', body: formatSeparateComment(sections, 'en') }];
  const showsInClaim = async () => claim.isKept && !(await audience.isInternal());
  const shutdown = new AbortController().signal;
  const pulse = createPulse(() => time);
  const progress = createRunProgress(
    { ...named, claim, read, showsInClaim, thread, pulse },
    {
      ...{ budget, editIntervalMs: () => 60_000, shutdown, now: () => time },
      sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      repeat: () => () => {},
    },
  );
  return { claim, progress };
};

const bodies = () => platform.people.commentsOn(key).map(({ body }) => body);
const pass = (seconds: number) => {
  time += seconds * 1_000;
};

describe('the comment that shows the progress of a run', () => {
  it('is not made anew by what renews it where somebody deleted it: by no change, no leaving and no end [NX-236]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    progress.begin();
    const remove = () => platform.people.deleteComment(key, platform.people.commentsOn(key)[0]?.id ?? '');
    remove();
    sections = 'too late';
    await progress.changed('phase');
    await progress.leave('queued');
    await progress.rest('ended');
    expect([bodies(), warnings]).toEqual([[], []]);
    // Whoever goes on claims the thread anew, and leaves its own comment.
    await claim.hold();
    progress.begin();
    await progress.leave('interrupted');
    expect(bodies()).toEqual([expect.stringContaining('⏹️ Interrupted.')]);
  });

  it('is the claim, edited at each change of phase, and for steps at most once a minute [NX-126]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    sections = 'phase one';
    await progress.changed('phase');
    for (let step = 1; step <= 180; step += 1) {
      pass(1);
      sections = `step ${step}`;
      await progress.changed('step');
    }
    sections = 'phase two';
    await progress.changed('phase');
    expect(edits).toBe(5);
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toContain('phase two');
    expect(bodies()[0]).toContain('Working on this since 2026-05-01 03:00 UTC');
  });

  it('is not edited where nothing of it changed: each edit costs the next listing of the thread [NX-126]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    sections = 'the same';
    for (let minute = 0; minute < 10; minute += 1) {
      await progress.changed('step');
      await progress.changed('phase');
      pass(60);
    }
    expect(edits).toBe(1);
  });

  it('keeps what it shows when the claim is renewed, and at the end, after which nothing is shown [NX-126]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    sections = 'what was understood';
    await progress.changed('phase');
    pass(3_600);
    await claim.hold();
    expect(bodies()[0]).toContain('what was understood');
    await progress.rest('ended');
    expect(bodies()[0]).toContain('🤖 This task has ended.');
    expect(bodies()[0]).toContain('what was understood');
    sections = 'too late';
    await progress.changed('phase');
    expect(bodies()[0]).not.toContain('too late');
  });

  it('costs the run nothing where it cannot be edited, and is edited with a later change [NX-126]', async () => {
    const { claim, progress } = open();
    await claim.hold({ begins: true });
    isReachable = false;
    sections = 'the first';
    await progress.changed('phase');
    expect(warnings).toEqual(['failed to edit progress comment']);
    expect(bodies()[0]).not.toContain('the first');
    isReachable = true;
    await progress.changed('step');
    expect(bodies()[0]).toContain('the first');
  });

  it('keeps within the budget of its credential; a change of phase that had no room is shown once there is [NX-126]', async () => {
    const budget = createEditBudget({ capacity: 1, reserve: 0, refillMs: 10_000, now: () => time });
    const { claim, progress } = open({ budget });
    await claim.hold({ begins: true });
    sections = 'the first';
    await progress.changed('phase');
    sections = 'the second';
    await progress.changed('phase');
    expect(bodies()[0]).toContain('the first');
    pass(10);
    await progress.changed('step');
    expect(bodies()[0]).toContain('the second');
    expect(edits).toBe(2);
  });

  it('is one of its own, for those alone who may read it, where the run rests on an internal note [NX-127]', async () => {
    const { claim, progress } = open({ isInternal: true });
    await claim.hold({ begins: true });
    sections = 'what the note says';
    await progress.changed('phase');
    await progress.rest('ended');
    const comments = platform.people.commentsOn(key);
    expect(comments).toHaveLength(2);
    expect(comments[0]?.body).toContain('🤖 This task has ended.');
    expect(comments[0]?.body).not.toContain('what the note says');
    expect(comments[1]?.body).toContain('what the note says');
    expect([...internal]).toEqual([`run:${uuid}:progress`]);
  });

  it('is one of its own where the thread is not claimed [NX-127]', async () => {
    const { claim, progress } = open({ enabled: false });
    await claim.hold({ begins: true });
    await progress.changed('phase');
    expect(bodies()).toEqual([]);
    sections = 'what was understood';
    await progress.changed('phase');
    await progress.rest('ended');
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toContain('🤖 **Progress of the coding agent**\n\nwhat was understood');
  });
});
