import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { Gitlab } from '@gitbeaker/rest';
import { Octokit } from '@octokit/rest';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SourceComment } from '../comment.ts';
import { CommentDetectionManager, type CommentSource, isOutage } from '../index.ts';
import { createCommentSource, type GitbeakerLike, type OctokitLike } from './index.ts';

interface Stage {
  readonly source: CommentSource;
  readonly say: (body: string) => string;
  readonly edit: (id: string, body: string) => void;
  readonly remove: (id: string) => void;
  readonly pass: (milliseconds: number) => void;
  readonly refuse: () => void;
  readonly hideThread: () => void;
}

interface GitHubStage extends Stage {
  readonly requests: readonly { readonly status: number }[];
  /** Errors that the client printed. */
  readonly logged: readonly string[];
}

async function stageGitHub(): Promise<GitHubStage> {
  let clock = Date.parse('2026-01-01T10:00:00Z');
  const github = await startGitHubSimulator({ now: () => clock });
  onTestFinished(() => github.close());
  for (const login of ['alice', 'robot']) github.addUser({ login });
  github.addToken({ token: 'robot-token', login: 'robot' });
  await github.addRepository({
    owner: 'alice',
    name: 'shop',
    private: true,
    collaborators: { robot: 'write' },
  });
  const logged: string[] = [];
  const repo = 'alice/shop';
  const { number } = github.openIssue({ repo, author: 'alice', title: 'Fix' });
  const octokit = new Octokit({
    auth: 'robot-token',
    baseUrl: github.url,
    log: { ...silent, error: (line: string) => void logged.push(line) },
  });
  return {
    logged,
    requests: github.requests as never,
    source: createCommentSource(octokit, { owner: 'alice', repo: 'shop', number, include: ['comments'] }),
    say: (body) => String(github.comment({ repo, number, author: 'alice', body }).id),
    edit: (id, body) => github.editComment(repo, Number(id), body),
    remove: (id) => github.deleteComment(repo, Number(id)),
    pass: (milliseconds) => {
      clock += milliseconds;
    },
    refuse: () => github.fail({ path: '/comments', kind: 'server-error' }),
    hideThread: () => github.deleteRepository(repo),
  };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function stageGitLab(): Promise<Stage> {
  let clock = Date.parse('2026-01-01T10:00:00Z');
  const gitlab = await startGitLabSimulator({ now: () => clock });
  onTestFinished(() => gitlab.close());
  for (const username of ['alice', 'robot']) gitlab.addUser({ username });
  gitlab.addToken({ token: 'robot-token', username: 'robot' });
  const project = 'alice/shop';
  await gitlab.addProject({ path: project, members: { robot: 'developer' } });
  const { iid, reference } = gitlab.openIssue({ project, author: 'alice', title: 'Fix' });
  gitlab.note({ project, reference, author: 'alice', body: 'changed the milestone', system: true });
  const client = new Gitlab({ host: gitlab.url, token: 'robot-token' });
  return {
    source: createCommentSource(client, { projectId: project, issueIid: iid, include: ['comments'] }),
    say: (body) => String(gitlab.note({ project, reference, author: 'alice', body }).id),
    edit: (id, body) => gitlab.editNote(project, Number(id), body),
    remove: (id) => gitlab.deleteNote(project, Number(id)),
    pass: (milliseconds) => {
      clock += milliseconds;
    },
    refuse: () => gitlab.fail({ path: '/notes', kind: 'server-error' }),
    hideThread: () => gitlab.deleteThread(project, reference),
  };
}

const bodiesOf = (comments: readonly SourceComment[]) => comments.map(({ body }) => body);
const all = { since: null, fresh: true };

describe.each([
  ['Octokit', stageGitHub],
  ['Gitbeaker', stageGitLab],
])('createCommentSource over %s', (_, open) => {
  it('lists all pages, who wrote what, and gives a manager all that it needs [NX-270]', async () => {
    const { source, say, edit, remove, pass } = await open();
    expect(await source.listComments(all)).toMatchObject({ comments: [], complete: true, unchanged: false });
    const ids = Array.from({ length: 201 }, (_, index) => say(`comment ${index}`));
    const { comments } = await source.listComments(all);
    expect(comments.map(({ id }) => id)).toEqual(ids);
    expect(comments[0]).toMatchObject({
      author: { login: 'alice', id: expect.stringMatching(/^\d+$/) },
      body: 'comment 0',
    });
    let clock = 0;
    const manager = new CommentDetectionManager(source, {
      botUsername: 'robot',
      authorityOf: () => 'trusted',
      cleanText: (text) => text,
      logger: silent,
      monotonicNow: () => (clock += 2_000),
    });
    await manager.initialize();
    pass(5_000);
    say('new');
    edit(ids[3] ?? '', 'edited');
    remove(ids[4] ?? '');
    const changes = await manager.checkForChanges({ barrier: true });
    expect([changes.added, changes.edited, changes.deleted].map(bodiesOf)).toEqual([
      ['new'],
      ['edited'],
      ['comment 4'],
    ]);
  });

  it('proves that a comment is gone, and rejects where the thread is, too [NX-270]', async () => {
    const { source, say, remove, hideThread } = await open();
    const [kept, gone] = [say('kept'), say('gone')];
    remove(gone);
    expect(await source.getComment?.(kept, {})).toMatchObject({ id: kept, body: 'kept' });
    expect(await source.getComment?.(gone, {})).toBe(null);
    hideThread();
    await expect(source.getComment?.(gone, {})).rejects.toMatchObject({ status: 404 });
    await expect(source.listComments(all)).rejects.toMatchObject({ status: 404 });
  });

  it('says by its error whether waiting helps [NX-270]', async () => {
    const { source, refuse } = await open();
    refuse();
    const error: unknown = await source.listComments(all).catch((reason: unknown) => reason);
    expect(isOutage(error)).toBe(true);
    expect(String(error)).not.toContain('robot-token');
  });
});

it('asks GitHub only for what changed, and costs nothing where nothing did [NX-270]', async () => {
  const { source, say, pass, requests, logged } = await stageGitHub();
  say('one');
  pass(120_000);
  say('two');
  const { cursor } = await source.listComments(all);
  const news = { since: cursor, fresh: false };
  expect(bodiesOf((await source.listComments(news)).comments)).toEqual(['two']);
  expect(await source.listComments(news)).toEqual({ comments: [], complete: false, cursor, unchanged: true });
  expect(requests.at(-1)?.status).toBe(304);
  expect(logged).toEqual([]);
  pass(5_000);
  say('three');
  expect(bodiesOf((await source.listComments(news)).comments)).toEqual(['two', 'three']);
});

it('reads how long a limit asks to wait [NX-270]', async () => {
  const refused = Object.assign(new Error('API rate limit exceeded'), {
    status: 403,
    response: { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000' } },
  });
  const source = createCommentSource(
    { request: () => Promise.reject(refused) },
    { owner: 'octo', repo: 'hello', number: 7, now: () => 990_000 },
  );
  await expect(source.listComments(all)).rejects.toMatchObject({
    code: 'rate-limited',
    retryAfterMs: 10_000,
  });
});

it('waits out a secondary limit that GitHub tells of in words alone, and no other refusal [NX-298]', async () => {
  const waitAfter = async (message: string, headers: Readonly<Record<string, string>> = {}) => {
    const refused = Object.assign(new Error(message), { status: 403, response: { headers } });
    const client = { request: () => Promise.reject(refused) };
    const source = createCommentSource(client, { owner: 'octo', repo: 'hello', number: 7 });
    const error: unknown = await source.listComments(all).catch((reason: unknown) => reason);
    return [isOutage(error), (error as { readonly retryAfterMs?: number }).retryAfterMs];
  };
  const words = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  const unspent = { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '9999999999' };
  expect(await waitAfter(words)).toEqual([true, 60_000]);
  expect(await waitAfter(words, unspent)).toEqual([true, 60_000]);
  expect(await waitAfter(words, { ...unspent, 'retry-after': '30' })).toEqual([true, 30_000]);
  expect(await waitAfter('Resource not accessible by personal access token', unspent)).toEqual([
    false,
    undefined,
  ]);
});

it('says what it takes instead of a client that it does not know [NX-270]', () => {
  expect(() => createCommentSource({} as OctokitLike, { owner: 'o', repo: 'r', number: 1 })).toThrow(
    /takes an Octokit/,
  );
  expect(() => createCommentSource(null as unknown as GitbeakerLike, { projectId: 1, issueIid: 1 })).toThrow(
    /takes an Octokit/,
  );
});

describe('createCommentSource over Gitbeaker', () => {
  it('leaves out internal notes, whose text must not appear in a public answer', async () => {
    const gitlab = await startGitLabSimulator();
    onTestFinished(() => gitlab.close());
    for (const username of ['alice', 'robot']) gitlab.addUser({ username });
    gitlab.addToken({ token: 'robot-token', username: 'robot' });
    const project = 'alice/shop';
    const projectId = await gitlab.addProject({ path: project, members: { robot: 'developer' } });
    const { iid, reference } = gitlab.openIssue({ project, author: 'alice', title: 'Fix' });
    const internal = gitlab.note({
      project,
      reference,
      author: 'alice',
      body: 'the secret plan',
      internal: true,
    });
    gitlab.note({ project, reference, author: 'alice', body: 'hello' });
    const client = new Gitlab({ host: gitlab.url, token: 'robot-token' });
    const source = createCommentSource(client, { projectId, issueIid: iid, include: ['comments'] });
    const { comments } = await source.listComments({ since: null, fresh: true });
    expect(comments.map(({ body }) => body)).toEqual(['hello']);
    expect(await source.getComment?.(String(internal.id), {})).toBeNull();
  });
});
