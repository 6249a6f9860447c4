import { createCommentInbox } from '@agent/comment-detection';
import type { Check } from '@agent/platforms';
import { createGitLabPlatform } from '@agent/platforms/gitlab';
import { createMemoryStorage } from '@agent/run-store/testing';
import { type GitLabSimulator, startGitLabSimulator } from '@agent/simulators/gitlab';
import type { ModelMessage } from 'ai';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followUpSchema } from '../config/follow-up-settings.ts';
import { nothingDelivered } from '../delivery/push-work.ts';
import { createDoIntent } from '../intents/do-intent.ts';
import type { Run } from '../run/run.ts';
import type { ReportedEnding } from '../run/run-ending.ts';
import type { RoundInbox } from './begin-round.ts';
import { createFollowUp } from './create-follow-up.ts';
import { readFollowUp } from './follow-up-record.ts';
import { openRequestWatch } from './watch-request.ts';

const project = 'team/app';
const settings = followUpSchema.parse({});
const trust = { everyone: false, collaborators: true, isNamed: () => false };
const logger = pino({ level: 'silent' });
const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
const ending = {
  outcome: { status: 'completed', reason: null, finalText: 'Done.', statistics },
  delivery: { ...nothingDelivered, changeRequest: { number: 1, url: 'https://forge.test/1' } },
  hearing: { comments: [], statistics: null, readUntil: null },
} as unknown as ReportedEnding;

let simulator: GitLabSimulator;
let platform: ReturnType<typeof createGitLabPlatform>;
let projectId: string;
let nowMs = Date.UTC(2026, 4, 1);
const now = () => nowMs;
beforeEach(async () => {
  simulator = await startGitLabSimulator({ now });
  for (const username of ['agent', 'alice']) simulator.addUser({ username });
  simulator.addToken({ token: 'agent-token', username: 'agent' });
  const members = { agent: 'maintainer', alice: 'maintainer' } as const;
  projectId = String(await simulator.addProject({ path: project, members, files: { 'a.txt': 'a\n' } }));
  const files = { 'b.txt': 'b\n' };
  await simulator.openMergeRequest({ project, author: 'agent', title: 'x', sourceBranch: 'agent/1', files });
  platform = createGitLabPlatform({
    ...{ token: 'agent-token', baseUrl: simulator.url, projects: [project], writeSpacingMs: 0, now },
  });
});
afterEach(() => simulator.close());

/** Opens a run that has delivered the merge request. */
async function openRun() {
  const storage = createMemoryStorage({ now });
  const owner = await storage.members.acquire();
  const store = storage.openStore({ owner, parseMessage: (json) => json as ModelMessage });
  const uuid = '11111111-1111-4111-8111-111111111111';
  const thread = { taskKey: {}, taskKeyText: 'gitlab_issue:1:1', host: 'gitlab.test' };
  const open = await store.open({ uuid, ...thread, user: null, config: {}, extra: {} });
  const key = { type: 'gitlab_issue', projectId, issueIid: 1 };
  const opened = { ...open, uuid, logger, facts: { kind: 'issue', locale: 'en' } };
  return { ...opened, thread: { platform: { platform, trust }, ports: { key } } } as unknown as Run;
}

const controls = { read: async () => [], remove: async () => {} };
const watch = { settings, doIntent: createDoIntent({ controls, now }), now };
const followUp = createFollowUp({
  ...{ settings, watch, longestMs: 86_400_000, timeZone: 'UTC', now },
  composeFinalComment: async () => 'Delivered.',
  answerReviews: async () => {},
});

/** Hears the merge request as a process does that has just begun. `isCut`: while it is true, nothing can be read. */
function hear(isCut: () => boolean = () => false): RoundInbox {
  const { comments } = platform.openThread({ type: 'gitlab_merge_request', projectId, mrIid: 1 });
  const { manager, ...inbox } = createCommentInbox(
    {
      listComments: async (options) => {
        if (isCut()) throw new Error('fetch failed');
        return comments.listComments(options);
      },
    },
    { authorityOf: () => 'trusted', logger, startedAt: '2026-04-30T00:00:00Z', now: () => new Date(nowMs) },
  );
  return {
    inbox: inbox as unknown as RoundInbox['inbox'],
    runCommands: async () => {
      await manager.checkForChanges();
      return manager.listDeliverable();
    },
  };
}

const enter = (run: Run, inbox = hear()) =>
  followUp.enter(run, { isToldToStop: false, hear: async () => inbox });
const wake = async (run: Run) =>
  openRequestWatch(
    { ...run, platform: { platform, trust }, key: run.thread.ports.key },
    watch,
  )(await hear().runCommands());
const say = () => simulator.note({ project, reference: '!1', author: 'alice', body: 'Plus, please.' });

async function listRounds({ journal }: Run) {
  const rounds: string[] = [];
  for await (const entry of journal.read())
    if (entry.type === 'message') rounds.push(String(entry.message.content));
  return rounds;
}

it('a run that was left between its delivery and its pause waits on, and begins no round [NX-244]', async () => {
  const run = await openRun();
  expect(await followUp.wait(run, ending)).toMatchObject({ status: 'needs_input' });
  const paused = { outcome: { status: 'needs_input', waitsFor: { kind: 'follow-up' } } };
  for (const _ of ['a first process', 'another']) expect(await enter(run)).toMatchObject(paused);
  expect(await listRounds(run)).toEqual([]);
  await followUp.resume(run);
  expect(await enter(run)).toBe(null);
  expect(await listRounds(run)).toEqual([expect.stringContaining('(round 1)')]);
});

it('a round is begun once, with its news, wherever the processes die that begin it [NX-245]', async () => {
  for (const [writes, isBefore] of [0, 1, 2].flatMap((count) =>
    [true, false].map((is) => [count, is] as const),
  )) {
    const run = await openRun();
    await followUp.wait(run, ending);
    say();
    expect((await wake(run)).kind).toBe('round');
    let left = writes;
    const dying =
      <Args extends readonly unknown[], Made>(write: (...args: Args) => Promise<Made>) =>
      async (...args: Args): Promise<Made> => {
        left -= 1;
        if (left === -1 && isBefore) throw new Error('dead');
        const made = await write(...args);
        if (left === -1) throw new Error('dead');
        return made;
      };
    const state = { ...run.state, write: dying(run.state.write) };
    const journal = { ...run.journal, append: dying(run.journal.append) };
    const dies = async () => {
      await followUp.resume({ state });
      await enter({ ...run, state, journal });
    };
    await expect(dies()).rejects.toThrow('dead');
    await followUp.resume(run);
    expect(await enter(run)).toBe(null);
    expect(await enter(run)).toBe(null);
    expect(await listRounds(run)).toEqual([expect.stringMatching(/\(round 1\).*Plus, please\./su)]);
    expect((await readFollowUp(run.state))?.rounds).toHaveLength(1);
  }
});

it('a round waits for its news: nobody is asked while they cannot be read, nor where they are gone [NX-246]', async () => {
  const run = await openRun();
  await followUp.wait(run, ending);
  say();
  await wake(run);
  await followUp.resume(run);
  await expect(
    enter(
      run,
      hear(() => true),
    ),
  ).resolves.toMatchObject({ outcome: { status: 'needs_input' } });
  await followUp.resume(run);
  // Somebody asked for this one: no news would be a reason for it, and none can be read.
  await expect(
    enter(
      run,
      hear(() => true),
    ),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect(await listRounds(run)).toEqual([]);
  expect(await enter(run)).toBe(null);
  expect(await listRounds(run)).toEqual([expect.stringContaining('Plus, please.')]);
});

it('a run is done with a green head when it has read by itself what was said, and hears a review that nobody heard before [NX-257]', async () => {
  const key = { type: 'gitlab_merge_request', projectId, mrIid: 1 } as const;
  const head = (await platform.openReview?.(key)?.checks.readHead()) ?? '';
  await simulator.ci.report(project, head, { name: 'test', conclusion: 'success' });
  const isCut = () => true;
  const wakeDeaf = async (run: Run) => {
    const watching = { ...run, platform: { platform, trust }, key: run.thread.ports.key };
    expect((await openRequestWatch(watching, watch)(await hear(isCut).runCommands())).kind).toBe('end');
    await followUp.resume(run);
  };
  const [quiet, reviewed] = [await openRun(), await openRun()];
  for (const run of [quiet, reviewed]) {
    await followUp.wait(run, ending);
    await wakeDeaf(run);
    await expect(enter(run, hear(isCut))).resolves.toMatchObject({ outcome: { status: 'needs_input' } });
    await wakeDeaf(run);
  }
  await expect(enter(quiet)).resolves.toMatchObject({ outcome: { status: 'completed' } });
  say();
  expect(await enter(reviewed)).toBe(null);
  expect(await listRounds(reviewed)).toEqual([expect.stringContaining('Plus, please.')]);
});

it('a flaky check runs again once, as an entry: after a refusal, and where nobody heard that it was made [NX-247]', async () => {
  const run = await openRun();
  await followUp.wait(run, ending);
  const key = { type: 'gitlab_merge_request', projectId, mrIid: 1 } as const;
  const head = (await platform.openThread(key).reader.readThread()).changeRequest?.headSha ?? '';
  const failed: Check = {
    ...{ id: 'job-1', name: 'test', head, conclusion: 'failure', attempt: 1, required: null, summary: '' },
    ...{ startedAt: '2026-05-01T00:00:00Z', endedAt: '2026-05-01T00:01:00Z', url: null },
  };
  const checks: Check[] = [failed];
  const asked: string[] = [];
  const refusals: (Error | null)[] = [];
  const openReview = () => ({
    checks: {
      list: async () => checks,
      rerun: async ({ id }: Check) => {
        asked.push(id);
        const refusal = refusals.shift() ?? null;
        if (refusal !== null) throw refusal;
      },
    },
  });
  const subject = { kind: 'check', name: 'test', conclusion: 'failure', head, flaky: true } as const;
  const said = {
    ...{ kind: 'added', previousBody: null, revision: '1', authority: 'untrusted' },
    comment: { id: 'check-1', author: null, body: '', url: null, subject, createdAt: '2026-05-01T00:02:00Z' },
  } as never;
  const look = async (one: Run) => {
    const platformWithChecks = { platform: { ...platform, openReview } } as never;
    const opened = openRequestWatch(
      { ...one, platform: platformWithChecks, key: one.thread.ports.key },
      watch,
    );
    return (await opened([said])).kind;
  };
  refusals.push(Object.assign(new Error('not now'), { code: 'forbidden' }));
  expect(await look(run)).toBe('wait');
  // Made, and its process dies before it can write that down.
  const outbox = { ...run.outbox, settle: async () => Promise.reject(new Error('dead')) };
  await expect(look({ ...run, outbox })).rejects.toThrow('dead');
  expect(asked).toEqual(['job-1', 'job-1']);
  checks.push({ ...failed, id: 'job-2', attempt: 2, conclusion: null });
  expect(await look(run)).toBe('wait');
  checks[1] = { ...failed, id: 'job-2', attempt: 2 };
  expect(await look(run)).toBe('round');
  expect(asked).toHaveLength(2);

  const refused = await openRun();
  await followUp.wait(refused, ending);
  checks.length = 1;
  for (const hour of [0, 1]) {
    nowMs += hour * 3_600_000;
    refusals.push(Object.assign(new Error('no right to'), { code: 'forbidden' }));
    expect(await look(refused)).toBe('wait');
  }
  expect(await look(refused)).toBe('round');
});

it('a head is not done where all checks have passed and a trusted reviewer still requests changes [NX-221]', async () => {
  const run = await openRun();
  await followUp.wait(run, ending);
  const key = { type: 'gitlab_merge_request', projectId, mrIid: 1 } as const;
  const review = platform.openReview?.(key);
  await simulator.ci.report(project, (await review?.checks.readHead()) ?? '', {
    name: 'test',
    conclusion: 'success',
  });
  const alice = (await platform.accounts?.findAccount('alice')) ?? null;
  const state = { now: 'changes-requested' };
  const reviews = {
    listComments: async () => ({
      comments: [{ author: alice, subject: { kind: 'review', state: state.now, commit: null } }],
    }),
  };
  const reviewed = { platform: { ...platform, openReview: () => ({ ...review, reviews }) }, trust } as never;
  const look = async () => {
    const opened = openRequestWatch({ ...run, platform: reviewed, key: run.thread.ports.key }, watch);
    return (await opened([])).kind;
  };
  expect(await look()).toBe('wait');
  state.now = 'approved';
  expect(await look()).toBe('end');
});
