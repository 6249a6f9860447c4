import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GitHubSimulator, startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { Gitlab } from '@gitbeaker/rest';
import { Octokit } from '@octokit/rest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommentDetectionManager, createCommentInbox, isOutage } from '../index.ts';
import { createCommentSource, type SourceInclude } from './index.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const repo = 'alice/shop';
const all = { since: null, fresh: true };

async function openPullRequest() {
  let clock = Date.parse('2026-01-01T10:00:00Z');
  const github = await startGitHubSimulator({ now: () => clock });
  onTestFinished(() => github.close());
  for (const login of ['alice', 'bob', 'robot', 'mallory']) github.addUser({ login });
  github.addToken({ token: 'robot-token', login: 'robot' });
  await github.addRepository({
    owner: 'alice',
    name: 'shop',
    files: { 'a.ts': 'one\ntwo\nthree\n' },
    collaborators: { robot: 'write', bob: 'write' },
  });
  const { number } = await github.openPullRequest({
    ...{ repo, author: 'alice', title: 'Fix the export', body: 'In euros.', headBranch: 'fix' },
    files: { 'a.ts': 'one\nzwei\nthree\n' },
  });
  return {
    github,
    number,
    octokit: new Octokit({ auth: 'robot-token', baseUrl: github.url, log: silent }),
    pass: (milliseconds = 5_000) => {
      clock += milliseconds;
    },
    now: () => clock,
  };
}

/** Watches a thread by a clock that moves on at each question. */
function watch(source: ReturnType<typeof createCommentSource>): CommentDetectionManager {
  let clock = 0;
  return new CommentDetectionManager(source, { logger: silent, monotonicNow: () => (clock += 2_000) });
}

const pathsOf = ({ requests }: GitHubSimulator, from: number) =>
  requests
    .slice(from)
    .map(({ path, status }) => `${status} ${path.replace(/\?.*$/u, '').replace('/repos/alice/shop/', '')}`);

describe('createCommentSource on a GitHub pull request', () => {
  it('reports reviews, line comments, and edits of title and description, each once [CD-33]', async () => {
    const { github, number, octokit, pass } = await openPullRequest();
    const manager = watch(createCommentSource(octokit, { owner: 'alice', repo: 'shop', number }));
    await manager.initialize();
    pass();
    const line = await github.reviews.comment({
      repo,
      number,
      author: 'bob',
      path: 'a.ts',
      line: 2,
      body: 'rename <!-- x -->',
    });
    await github.reviews.submit({ repo, number, author: 'bob', event: 'REQUEST_CHANGES', body: 'Not yet.' });
    github.comment({ repo, number, author: 'robot', body: 'I am on it.' });
    github.editThread(repo, number, { title: 'Fix the import' });
    await manager.checkForChanges();
    const message = await manager.composeDelivery();
    expect(message?.text.replace(/review thread \d+/u, 'review thread N')).toMatchInlineSnapshot(`
      "[New Comments Detected]:

      Comment 1 from @bob (2026-01-01T10:00:05Z):
      On line 2 of a.ts (review thread N):
      \`\`\`diff
      @@ -1,3 +1,3 @@
       one
      -two
      +zwei
      \`\`\`

      rename

      Comment 2 from @bob (2026-01-01T10:00:05Z):
      Not yet.

      (This review requests changes.)

      [Title or Text Edited by @alice]:
      Fix the import

      In euros.

      What changed:
      @@ -1,2 +1,2 @@
      -Fix the export
      +Fix the import"
    `);
    expect(message?.fromTrusted).toBe(true);
    manager.markDelivered(message?.receipt ?? { delivers: [] });
    pass();
    github.reviews.delete(repo, line);
    const { added, edited, deleted } = await manager.checkForChanges({ barrier: true });
    expect([added, edited, deleted].map((some) => some.map(({ id }) => id))).toEqual([
      [],
      [],
      [`line-${line}`],
    ]);
  });

  it('costs four requests, which are free while nothing changes, and one with the conversation alone [CD-33]', async () => {
    const { github, number, octokit } = await openPullRequest();
    const cost = async (include?: readonly SourceInclude[]) => {
      const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number, include });
      const { cursor } = await source.listComments({ since: null, fresh: true });
      await source.listComments({ since: cursor, fresh: false });
      const from = github.requests.length;
      const { unchanged } = await source.listComments({ since: cursor, fresh: false });
      return { unchanged, asked: pathsOf(github, from).sort() };
    };
    expect(await cost(['comments'])).toEqual({ unchanged: true, asked: ['304 issues/1/comments'] });
    expect(await cost()).toEqual({
      unchanged: true,
      asked: ['304 issues/1', '304 issues/1/comments', '304 pulls/1/comments', '304 pulls/1/reviews'],
    });
  });

  it('reports what one list has shown while another failed, at the next poll [CD-33]', async () => {
    const { github, number, octokit, pass } = await openPullRequest();
    const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number });
    const { cursor } = await source.listComments({ since: null, fresh: true });
    await source.listComments({ since: cursor, fresh: false });
    pass();
    github.comment({ repo, number, author: 'bob', body: 'heard' });
    github.fail({ path: '/reviews', kind: 'server-error' });
    await expect(source.listComments({ since: cursor, fresh: false })).rejects.toMatchObject({ status: 500 });
    const { comments } = await source.listComments({ since: cursor, fresh: false });
    expect(comments.map(({ body }) => body)).toContain('heard');
  });

  it('asks for the permission of an account once, and afresh for a comment that gives a command', async () => {
    const { github, number, octokit, pass, now } = await openPullRequest();
    const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number, now });
    let clock = 0;
    const given: string[] = [];
    const inbox = createCommentInbox(source, {
      ...{ logger: silent, commands: ['stop'], monotonicNow: () => (clock += 2_000) },
      onCommands: async ({ change }) =>
        void given.push(`${change.comment.author?.login} ${change.authority}`),
    });
    await inbox.manager.initialize();
    pass();
    for (let index = 0; index < 120; index += 1)
      github.comment({ repo, number, author: 'mallory', body: `noise ${index}` });
    github.comment({ repo, number, author: 'bob', body: '/stop' });
    const from = github.requests.length;
    await inbox.takeDelivery({ barrier: false });
    const asked = pathsOf(github, from).filter((path) => path.includes('collaborators'));
    expect(asked).toEqual(['200 collaborators/mallory/permission', '200 collaborators/bob/permission']);
    expect(given).toEqual(['bob trusted']);
    pass(11_000);
    for (let index = 0; index < 60; index += 1)
      github.comment({ repo, number, author: 'mallory', body: '/stop' });
    await inbox.takeDelivery({ barrier: false });
    expect(pathsOf(github, from).filter((path) => path.includes('mallory/permission'))).toHaveLength(2);
    expect(given).toEqual(['bob trusted', ...Array(60).fill('mallory untrusted')]);
  });

  it('shares a permission request, which continues if the question that began it is aborted', async () => {
    const { github, number, octokit } = await openPullRequest();
    const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number });
    const comment = github.comment({ repo, number, author: 'bob', body: '/stop' });
    const asked = await source.getComment?.(String(comment.id), {});
    if (!asked) throw new Error('the comment was not found');
    const from = github.requests.length;
    const control = new AbortController();
    const questions = [
      source.authorityOf?.(asked, { fresh: true, signal: control.signal }),
      ...[1, 2, 3].map(() => source.authorityOf?.(asked, { fresh: true })),
    ];
    control.abort();
    expect(await Promise.allSettled(questions)).toMatchObject([
      { status: 'rejected' },
      ...Array(3).fill({ status: 'fulfilled', value: 'trusted' }),
    ]);
    expect(pathsOf(github, from)).toEqual(['200 collaborators/bob/permission']);
  });

  it('waits for an answer that was cut on its way', async () => {
    const { github, number, octokit } = await openPullRequest();
    const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number });
    github.fail({ path: '/comments', kind: 'malformed-json' });
    const error: unknown = await source.listComments(all).catch((reason: unknown) => reason);
    expect(isOutage(error)).toBe(true);
    expect(String(error)).toMatch(/cut or replaced on its way/u);
    expect((await source.listComments(all)).complete).toBe(true);
  });

  it('follows a repository that was renamed, and no issue that was transferred', async () => {
    const { github, octokit, pass } = await openPullRequest();
    const { number } = github.openIssue({ repo, author: 'alice', title: 'An issue' });
    const source = createCommentSource(octokit, { owner: 'alice', repo: 'shop', number });
    const { cursor } = await source.listComments(all);
    await github.moveRepository(repo, 'alice/store');
    pass();
    github.comment({ repo: 'alice/store', number, author: 'bob', body: 'after the rename' });
    const { comments } = await source.listComments({ since: cursor, fresh: false });
    expect(comments.map(({ body }) => body)).toContain('after the rename');
    await github.addRepository({ owner: 'alice', name: 'other', collaborators: { robot: 'write' } });
    github.transferIssue('alice/store', number, 'alice/other');
    await expect(source.listComments(all)).rejects.toMatchObject({ status: 404 });
  });

  it('refuses a list of parts that is empty or names an unknown one', async () => {
    const { number, octokit } = await openPullRequest();
    for (const include of [[], ['checks' as never]])
      expect(() => createCommentSource(octokit, { owner: 'alice', repo: 'shop', number, include })).toThrow(
        /GitHubThread\.include must be/u,
      );
  });
});

describe('createCommentSource on a GitLab merge request', () => {
  it('reports verdicts, notes on lines with their place, and edits of title and description', async () => {
    let clock = Date.parse('2026-01-01T10:00:00Z');
    const gitlab = await startGitLabSimulator({ now: () => clock });
    onTestFinished(() => gitlab.close());
    for (const username of ['alice', 'bob', 'robot']) gitlab.addUser({ username });
    gitlab.addToken({ token: 'robot-token', username: 'robot' });
    const members = { robot: 'developer', bob: 'developer' } as const;
    const projectId = await gitlab.addProject({ path: repo, members, files: { 'a.ts': 'one\ntwo\n' } });
    const { iid, reference } = await gitlab.openMergeRequest({
      ...{ project: repo, author: 'alice', title: 'Fix the export', sourceBranch: 'fix' },
      files: { 'a.ts': 'one\nzwei\n' },
    });
    const client = new Gitlab({ host: gitlab.url, token: 'robot-token' });
    const now = () => clock;
    const manager = watch(createCommentSource(client, { projectId, mergeRequestIid: iid, now }));
    await manager.initialize();
    clock += 5_000;
    await gitlab.reviews.comment({
      project: repo,
      reference,
      author: 'bob',
      path: 'a.ts',
      line: 2,
      body: 'rename',
    });
    gitlab.reviews.requestChanges(repo, reference, 'bob');
    gitlab.note({ project: repo, reference, author: 'robot', body: 'I am on it.' });
    gitlab.editThread(repo, reference, { title: 'Fix the import' });
    await manager.checkForChanges();
    const message = await manager.composeDelivery();
    expect(message?.text.replace(/review thread \w+/u, 'review thread N')).toMatchInlineSnapshot(`
      "[New Comments Detected]:

      Comment 1 from @bob (2026-01-01T10:00:05.000Z):
      On line 2 of a.ts (review thread N):
      rename

      Comment 2 from @bob (2026-01-01T10:00:05.000Z):
      (This review requests changes.)

      [Title or Text Edited by @alice]:
      Fix the import

      What changed:
      @@ -1,1 +1,1 @@
      -Fix the export
      +Fix the import"
    `);
    expect(message?.fromTrusted).toBe(true);
    expect(manager.botUsername).toBe('robot');
    const source = createCommentSource(client, { projectId, mergeRequestIid: iid });
    gitlab.fail({ path: '/discussions', kind: 'malformed-json' });
    const error: unknown = await source.listComments(all).catch((reason: unknown) => reason);
    expect(isOutage(error)).toBe(true);
  });

  it('lists all notes behind a gateway that drops headers, also if GitLab leaves out some after cutting pages', async () => {
    const gitlab = await startGitLabSimulator();
    onTestFinished(() => gitlab.close());
    for (const username of ['alice', 'robot']) gitlab.addUser({ username });
    gitlab.addToken({ token: 'robot-token', username: 'robot' });
    const projectId = await gitlab.addProject({ path: repo, members: { robot: 'developer' } });
    const { iid, reference } = gitlab.openIssue({ project: repo, author: 'alice', title: 'Fix' });
    for (let index = 0; index < 250; index += 1)
      gitlab.note({ project: repo, reference, author: 'alice', body: `note ${index}` });
    const isShown = (body: string) => !body.endsWith('7');
    const places = ['link', 'x-total', 'x-total-pages', 'x-next-page', 'x-page', 'x-per-page'];
    for (const dropped of [[], ['link'], ['link', 'x-total', 'x-total-pages'], places]) {
      const host = await startGateway(gitlab.url, { dropped, isShown });
      const client = new Gitlab({ host, token: 'robot-token' });
      const source = createCommentSource(client, { projectId, issueIid: iid, include: ['comments'] });
      const { comments } = await source.listComments(all);
      expect(comments.map(({ body }) => body)).toEqual(
        Array.from({ length: 250 }, (_, index) => `note ${index}`).filter(isShown),
      );
    }
  });

  it('dates a verdict without a time from GitLab by its first observation', async () => {
    let clock = Date.parse('2026-01-01T10:00:00Z');
    const gitlab = await startGitLabSimulator({ now: () => clock });
    onTestFinished(() => gitlab.close());
    for (const username of ['alice', 'bob', 'robot']) gitlab.addUser({ username });
    gitlab.addToken({ token: 'robot-token', username: 'robot' });
    const members = { robot: 'developer', bob: 'developer' } as const;
    const projectId = await gitlab.addProject({ path: repo, members, files: { 'a.ts': 'one\n' } });
    const { iid, reference } = await gitlab.openMergeRequest({
      ...{ project: repo, author: 'alice', title: 'Fix', sourceBranch: 'fix', files: { 'a.ts': 'zwei\n' } },
    });
    const client = new Gitlab({ host: gitlab.url, token: 'robot-token' });
    const place = { projectId, mergeRequestIid: iid, include: ['reviews'] as const, now: () => clock };
    const source = createCommentSource(client, place);
    const readTimes = async () => (await source.listComments(all)).comments.map((one) => one.createdAt);
    gitlab.reviews.requestChanges(repo, reference, 'bob');
    clock += 3_600_000;
    expect(await readTimes()).toEqual(['2026-01-01T11:00:00.000Z']);
    clock += 3_600_000;
    expect(await readTimes()).toEqual(['2026-01-01T11:00:00.000Z']);
  });

  it('does not trust a bot that is only known by its name', async () => {
    const gitlab = await startGitLabSimulator();
    onTestFinished(() => gitlab.close());
    const bot = 'project_42_bot_ab12';
    for (const username of ['alice', 'robot', bot]) gitlab.addUser({ username });
    gitlab.addToken({ token: 'robot-token', username: 'robot' });
    const members = { robot: 'developer', [bot]: 'developer' } as const;
    const projectId = await gitlab.addProject({ path: repo, members });
    const { iid, reference } = gitlab.openIssue({ project: repo, author: 'alice', title: 'Fix' });
    gitlab.note({ project: repo, reference, author: bot, body: '/stop' });
    const client = new Gitlab({ host: gitlab.url, token: 'robot-token' });
    const source = createCommentSource(client, { projectId, issueIid: iid, include: ['comments'] });
    const [comment] = (await source.listComments(all)).comments;
    expect(comment?.author).toMatchObject({ login: bot, kind: 'bot' });
    expect(comment && (await source.authorityOf?.(comment, {}))).toBe('untrusted');
  });
});

interface GatewayOptions {
  /** Names of headers that the gateway drops. */
  readonly dropped: readonly string[];
  /** Tells whether the server behind it shows a note. */
  readonly isShown: (body: string) => boolean;
}

/** Starts a gateway on loopback in front of a server that leaves out notes after it has cut them into pages. */
async function startGateway(target: string, { dropped, isShown }: GatewayOptions): Promise<string> {
  const server = createServer(async ({ url = '', headers }, response) => {
    const token = String(headers['private-token']);
    const answer = await fetch(`${target}${url}`, { headers: { 'private-token': token } });
    const kept = [...answer.headers].filter(([name]) => name === 'link' || name.startsWith('x-'));
    const notes = (await answer.json()) as { readonly body: string }[];
    response.writeHead(answer.status, {
      ...Object.fromEntries(kept.filter(([name]) => !dropped.includes(name))),
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(notes.filter(({ body }) => isShown(body))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
