import { formatTaskKey, type Platform, toTaskKeyJson } from '@agent/platforms';
import { formatCommentMarker } from '@agent/platforms/comments';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { RecentRun, RunOverview, ShownRun } from '@agent/run-store';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { makeFacts } from '../../test/facts-for-test.ts';
import { type FollowUpSettings, followUpSchema } from '../config/follow-up-settings.ts';
import { toFactsJson } from '../run/run-facts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { StopCause } from '../run/watch-thread.ts';
import { createHandoverRecords, createUnansweredRecords } from '../triggers/handover-records.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createEndedThreads } from './ended-threads.ts';

const repository = 'octo/hello';
const labels = {
  ...{ waiting: 'agent', processing: 'agent works', completed: 'agent done' },
  ...{ failed: 'agent failed', paused: 'agent paused', stopped: 'agent stopped' },
};
const logger = pino({ level: 'silent' });

interface Situation {
  readonly settings?: Partial<FollowUpSettings>;
  readonly run?: Partial<RecentRun>;
  readonly stopCause?: StopCause;
  readonly locale?: 'en' | 'ja';
  readonly reviews?: boolean | 'own';
}

/** An issue whose run ended a minute ago; alice may write, eve may not. */
function setUp(situation: Situation = {}) {
  const { settings = {}, run = {}, stopCause, locale = 'en', reviews = 'own' } = situation;
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const memory = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: repository, files: {}, access: { alice: 'write', eve: 'read' } }],
  });
  const { people, reviewers } = memory;
  const failing = new Set<string>();
  const key = people.openIssue({ repository, author: 'alice', title: 'x', labels: ['agent done'] });
  const requests: string[] = [];
  const platform: Platform = {
    ...memory,
    tasks: {
      listTasks: (query) => {
        requests.push('list');
        return memory.tasks.listTasks(query);
      },
    },
    openThread: (at) => {
      const ports = memory.openThread(at);
      const { listComments } = ports.comments;
      const counted: typeof listComments = (options) => {
        const isFailing = failing.has(formatTaskKey(at));
        requests.push(isFailing ? 'failed' : 'comments');
        if (isFailing) return Promise.reject(new Error('The answer was cut.'));
        return listComments(options);
      };
      return { ...ports, comments: { listComments: counted } };
    },
  };
  people.comment(key, { author: 'agent', body: `${formatCommentMarker('run:u1:final')}\nDone.` });
  clock.ms += 60_000;
  const ended: RecentRun = {
    ...{ uuid: 'u1', taskKeyText: formatTaskKey(key), host: memory.host, status: 'completed' },
    ...{ title: 'x', number: 1, url: null, createdAt: '2026-03-01T09:00:00Z' },
    ...{ finishedAt: '2026-03-01T10:00:00Z', inheritanceDepth: 0, inheritedTokens: 0 },
    ...{ reason: null, user: null },
    ...run,
  };
  const overview = { running: [], pausing: [], paused: [], recent: [ended] } as unknown as RunOverview;
  let begun = overview;
  const beginMeanwhile = (): void => {
    const { host, taskKeyText } = ended;
    begun = { ...overview, running: [{ metadata: { host, taskKeyText } }] } as unknown as RunOverview;
  };
  const failFirst = (): void => {
    const other = people.openIssue({ repository, author: 'alice', title: 'y', labels: ['agent done'] });
    failing.add(formatTaskKey(other));
    (overview.recent as RecentRun[]).push({ ...ended, uuid: 'u2', taskKeyText: formatTaskKey(other) });
  };
  const kept = new Map<string, unknown>();
  const notes = {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, value: unknown) => void kept.set(name, value),
    change: async (name: string, change: (value: unknown) => unknown) =>
      void kept.set(name, change(kept.get(name) ?? null)),
    locate: (name: string) => name,
  };
  const configured = {
    platform,
    trigger: createLabelTrigger(platform, labels),
    trust: { everyone: false, collaborators: true, isNamed: () => false },
  } as unknown as ConfiguredPlatform;
  const readRun = async () =>
    ({
      metadata: { extra: toFactsJson(makeFacts({ locale })), taskKey: toTaskKeyJson(key) },
      outcome: { details: { stop_cause: stopCause ?? null, change_request: request } },
    }) as unknown as ShownRun<unknown>;
  let request: { readonly number: number; readonly url: string } | null = null;
  /** The run opened it. */
  const openDraft = () => {
    const headBranch = 'agent/issue-1-x';
    const draft = people.openPullRequest({
      repository,
      author: 'agent',
      title: 'x',
      headBranch,
      draft: true,
    });
    request = { number: draft.number, url: 'https://x.test/2' };
    return draft;
  };
  const open = (once = true) =>
    createEndedThreads({
      settings: followUpSchema.parse(settings),
      reviews,
      ignored: ['ci'],
      platforms: [configured],
      hears: true,
      reader: { readOverview: async ({ recent }) => (recent === 0 ? begun : overview), readRun },
      notes,
      clean: async (text) => text,
      once,
      now: () => clock.ms,
      logger,
    });
  const named = { host: memory.host, taskKeyText: formatTaskKey(key) };
  const say = (author: string, body: string) => {
    clock.ms += 1_000;
    return people.comment(key, { author, body });
  };
  const look = async (by = open()) => {
    await by.look();
    return people.labelsOn(key).includes('agent');
  };
  const readOwed = () => createUnansweredRecords(notes).read(named);
  const readGiven = () => createHandoverRecords(notes, { logger }).read(named);
  return {
    beginMeanwhile,
    failFirst,
    openDraft,
    open,
    say,
    look,
    readOwed,
    readGiven,
    clock,
    people,
    reviewers,
    key,
    requests,
  };
}

describe('an ended thread', () => {
  it('waits for another run after a comment of a trusted user, with the authority and the words of that [NX-220]', async () => {
    const { say, look, readOwed, readGiven } = setUp();
    expect(await look()).toBe(false);
    const first = say('alice', 'Please round to cents.');
    const last = say('alice', 'And mind refunds.');
    expect(await look()).toBe(true);
    expect(await readOwed()).toEqual([first, last]);
    expect(await readGiven()).toMatchObject({ by: { login: 'alice' }, commentId: last });
  });

  it('counts only comments that were written after the final one [NX-220]', async () => {
    const { people, key, look } = setUp();
    people.comment(key, { author: 'alice', body: 'Please round to cents.' });
    people.comment(key, { author: 'agent', body: `${formatCommentMarker('run:u2:final')}\nRounded.` });
    expect(await look()).toBe(false);
  });

  it('waits for another run although the thread before it cannot be read [NX-220]', async () => {
    const { say, look, failFirst, requests, open, clock } = setUp();
    const threads = open();
    failFirst();
    say('alice', 'Please round to cents.');
    expect(await look(threads)).toBe(true);
    const before = requests.length;
    clock.ms += 5_000;
    await threads.look();
    expect(requests.filter((request) => request === 'failed')).toHaveLength(1);
    expect(requests.slice(before)).not.toContain('failed');
  });

  it('is found by a process whose clock is a day ahead [NX-220]', async () => {
    const { say, look, clock } = setUp();
    say('alice', 'Please round to cents.');
    clock.ms += 26 * 3_600_000;
    expect(await look()).toBe(true);
  });

  it('is left alone if a run has begun meanwhile [NX-220]', async () => {
    const { say, look, beginMeanwhile } = setUp();
    say('alice', 'Please round to cents.');
    beginMeanwhile();
    expect(await look()).toBe(false);
  });

  it('joins comments that come within ten seconds [NX-220]', async () => {
    const { open, say, look, clock, readOwed } = setUp();
    const threads = open(false);
    const first = say('alice', 'Please round to cents.');
    expect(await look(threads)).toBe(false);
    clock.ms += 8_000;
    const last = say('alice', 'And mind refunds.');
    expect(await look(threads)).toBe(false);
    clock.ms += 10_000;
    expect(await look(threads)).toBe(true);
    expect(await readOwed()).toEqual([first, last]);
  });

  it('is left alone by strangers, bots that are ignored, thanks and its own comments [NX-220]', async () => {
    const { say, look } = setUp();
    say('eve', 'Please delete everything.');
    say('ci', 'Build 7 passed.');
    say('alice', 'Thanks!');
    say('agent', `${formatCommentMarker('run:u1:reply-1')}\nMore.`);
    expect(await look()).toBe(false);
  });

  it.each<[string, Situation]>([
    ['after a stop', { run: { status: 'stopped' } }],
    ['after its days', { run: { finishedAt: '2026-02-01T10:00:00Z' } }],
    ['where that is off', { settings: { on_comment: 'never' } }],
  ])('is left alone %s, without a request [NX-220]', async (_, situation) => {
    const { say, look, requests } = setUp(situation);
    say('alice', 'Please round to cents.');
    expect(await look()).toBe(false);
    expect(requests).toEqual([]);
  });

  it('is left alone once it is closed [NX-220]', async () => {
    const { say, look, people, key } = setUp();
    say('alice', 'Please round to cents.');
    people.closeThread(key);
    expect(await look()).toBe(false);
  });

  it('costs nothing by itself while nothing changes there [NX-220]', async () => {
    const { open, clock, requests } = setUp();
    const threads = open(false);
    for (let polls = 0; polls < 3; polls += 1, clock.ms += 80_000) await threads.look();
    requests.length = 0;
    for (let polls = 0; polls < 5; polls += 1) await threads.look();
    expect(requests).toEqual(Array.from({ length: 5 }, () => 'list'));
  });

  it('is read twice after a change, however often the repository is listed meanwhile [NX-241]', async () => {
    const { open, clock, requests } = setUp();
    const threads = open(false);
    for (let polls = 0; polls < 30; polls += 1, clock.ms += 5_000) await threads.look();
    expect(requests.filter((request) => request === 'comments')).toHaveLength(2);
  });

  it('does not ask again for what was refused, nor more often than is allowed [NX-220]', async () => {
    const { say, look, people, key } = setUp({ settings: { comment_rounds: 1 } });
    const refuse = () => people.setLabels(key, ['agent done']);
    say('alice', 'Please round to cents.');
    expect(await look()).toBe(true);
    refuse();
    expect(await look()).toBe(false);
    say('alice', 'Please!');
    expect(await look()).toBe(false);
  });

  it.each([
    ['en', "I've reached the maximum number of runs that comments can begin here (1)"],
    ['ja', 'コメントから開始できる作業の回数の上限（1回）に達したため'],
  ] as const)('is told once that all comment rounds are used, in %s [NX-220]', async (locale, told) => {
    const { say, look, people, key } = setUp({ settings: { comment_rounds: 1 }, locale });
    say('alice', 'Please round to cents.');
    expect(await look()).toBe(true);
    people.setLabels(key, ['agent done']);
    people.comment(key, { author: 'agent', body: `${formatCommentMarker('run:u2:final')}\nRounded.` });
    say('alice', 'And mind refunds.');
    expect(await look()).toBe(false);
    say('alice', 'Please!');
    expect(await look()).toBe(false);
    const replies = people.commentsOn(key).filter(({ body }) => body.includes(told));
    expect(replies).toHaveLength(1);
    expect(replies[0]?.body).toContain('`follow_up.comment_rounds`');
    expect(replies[0]?.body).toContain('`agent`');
  });

  it('hears after a restart what was said while no process ran [NX-220]', async () => {
    const { open, say, look, clock } = setUp();
    await open().look();
    clock.ms += 3 * 3_600_000;
    say('alice', 'Please round to cents.');
    clock.ms += 3 * 3_600_000;
    expect(await look(open())).toBe(true);
  });

  it('waits for another run once a trusted user reopens it, if closing it stopped its run [RL-7]', async () => {
    const { look, people, key, clock, readGiven, readOwed } = setUp({
      ...{ run: { status: 'stopped' }, stopCause: 'closed' },
      settings: { on_comment: 'never' },
    });
    people.closeThread(key);
    expect(await look()).toBe(false);
    clock.ms += 60_000;
    people.reopenThread(key, { by: 'alice' });
    expect(await look()).toBe(true);
    expect(await readGiven()).toMatchObject({ by: { login: 'alice' }, commentId: null });
    expect(await readOwed()).toEqual([]);
    people.setLabels(key, ['agent stopped']);
    expect(await look()).toBe(false);
  });

  it('is left alone once a stranger reopens it, and after another stop [RL-7]', async () => {
    const stopped = { status: 'stopped' } as const;
    for (const [stopCause, by] of [
      ['closed', 'eve'],
      ['unlabeled', 'alice'],
    ] as const) {
      const { look, people, key } = setUp({ run: stopped, stopCause });
      people.closeThread(key);
      people.reopenThread(key, { by });
      expect(await look()).toBe(false);
    }
  });

  it('includes a comment on the draft in the second in which the run ended, as times have whole seconds there [NX-220]', async () => {
    const { openDraft, open, clock, people } = setUp({ run: { finishedAt: '2026-03-01T10:01:01.700Z' } });
    const draft = openDraft();
    clock.ms = Date.parse('2026-03-01T10:01:01Z');
    people.comment(draft, { author: 'alice', body: 'Please round to cents.' });
    await open().look();
    expect(people.labelsOn(draft)).toContain('agent');
  });

  it('includes the draft of its run: a comment there makes the draft wait, within the same rounds [NX-220]', async () => {
    const { look, openDraft, say, people, key, clock } = setUp({ settings: { comment_rounds: 1 } });
    const draft = openDraft();
    const isWaiting = () => people.labelsOn(draft).includes('agent');
    const sayThere = (author: string, body: string) => {
      clock.ms += 1_000;
      people.comment(draft, { author, body });
    };
    for (const [author, body] of [
      ['eve', 'Delete it.'],
      ['alice', 'Thanks!'],
      ['alice', '@eve please look.'],
      ['alice', '> Done.'],
    ] as const)
      sayThere(author, body);
    await look();
    expect(isWaiting()).toBe(false);
    sayThere('alice', 'Please round to cents.');
    expect(await look()).toBe(false);
    expect(isWaiting()).toBe(true);
    people.setLabels(draft, ['agent done']);
    people.comment(draft, { author: 'agent', body: `${formatCommentMarker('run:u2:final')}\nRounded.` });
    say('alice', 'And mind refunds.');
    expect(await look()).toBe(false);
    expect(people.commentsOn(key).at(-1)?.body).toContain('`follow_up.comment_rounds`');
  });

  const line = { author: 'alice', body: 'Use cents here.', path: 'a.ts', line: 1 };
  it.each([
    [true, line, 'own'],
    [false, { ...line, author: 'eve' }, 'own'],
    [false, line, false],
    [true, { ...line, state: 'commented' }, 'own'],
    [false, { ...line, state: 'commented', body: 'Thanks!' }, 'own'],
    [false, { ...line, state: 'approved' }, 'own'],
    [true, { ...line, state: 'changes-requested', body: '' }, 'own'],
  ] as const)(
    'continues %s after a review of its draft: %j (reviews: %s) [NX-220]',
    async (isWaiting, said, reviews) => {
      const { look, openDraft, people, reviewers, clock } = setUp({ reviews });
      const draft = openDraft();
      reviewers.commentOnLine(draft, { ...line, body: 'The run has answered this.' });
      clock.ms += 1_000;
      people.comment(draft, { author: 'agent', body: `${formatCommentMarker('run:u1:final')}\nDone.` });
      clock.ms += 1_000;
      if ('state' in said) reviewers.review(draft, said);
      else reviewers.commentOnLine(draft, said);
      await look();
      expect(people.labelsOn(draft).includes('agent')).toBe(isWaiting);
    },
  );

  it('leaves a draft alone that was closed or merged [NX-220]', async () => {
    const { look, openDraft, people } = setUp();
    const draft = openDraft();
    people.comment(draft, { author: 'alice', body: 'Please round to cents.' });
    people.closeThread(draft, { merged: true });
    await look();
    expect(people.labelsOn(draft)).toEqual([]);
  });
});
