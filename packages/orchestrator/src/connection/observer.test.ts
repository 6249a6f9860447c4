import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { createFileStorage } from '@agent/run-store/file';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAssignmentTrigger } from '../triggers/assignment-trigger.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import type { ReportedWrite } from './observed-write.ts';
import { fetchWithoutWrites, Observer } from './observer.ts';

const labels = {
  ...{ waiting: 'agent', processing: 'agent works', completed: 'agent done' },
  ...{ failed: 'agent failed', paused: 'agent paused', stopped: 'agent stopped' },
};

/** An observed platform in memory, on which a second observer of the same notes can be opened. */
async function openBed() {
  const directory = await mkdtemp(join(tmpdir(), 'observer-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  let now = Date.parse('2026-01-01T00:00:00Z');
  const tick = (): Date => {
    now += 1_000;
    return new Date(now);
  };
  const memory = createMemoryPlatform({ now: tick });
  const { notes } = createFileStorage({ baseDirectory: directory });
  const writes: ReportedWrite[] = [];
  const start = (trigger = createLabelTrigger(memory, labels)) => {
    const observer = new Observer({ notes, report: (write) => void writes.push(write), now: () => now });
    return observer.observe({ platform: memory, trigger });
  };
  const told = () => writes.splice(0).map(({ observed }) => observed);
  return { memory, start, told };
}

describe('Observer', () => {
  it('reports comments, and reads show them as if they were there', async () => {
    const { memory, start, told } = await openBed();
    const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
    const { comments, writer, ownComments, reader, reactions } = start().platform.openThread(key);
    const final = { topic: 'run:1:final', body: 'Done.' };
    expect(await writer.ensureComment(final)).toMatchObject({ change: 'created' });
    const { id } = await writer.ensureComment(final);
    const text = '<!-- agent-comment: run:1:final -->\nDone.';
    expect(await ownComments?.list()).toMatchObject([{ id, topic: final.topic, body: text }]);
    expect(await reader.getComment?.(id)).toMatchObject({ id, body: text });
    memory.people.comment(key, { author: 'alice', body: 'Thanks.' });
    const listing = await comments.listComments({ since: null, fresh: true });
    expect(listing.comments.map(({ body }) => body)).toEqual([text, 'Thanks.']);
    expect(await ownComments?.edit({ ...final, id, body: 'Done!' })).toBe('updated');
    await reactions?.ensureReaction({ commentId: id, meaning: 'seen' });
    await ownComments?.remove(id);
    expect([await ownComments?.list(), await reader.getComment?.(id)]).toEqual([[], null]);
    expect(told()).toEqual([
      { write: 'comment', ...final, internal: false },
      { write: 'edit', commentId: id, topic: final.topic, body: 'Done!' },
      { write: 'reaction', commentId: id, meaning: 'seen' },
      { write: 'removal', commentId: id },
    ]);
    expect(memory.people.commentsOn(key).map(({ body }) => body)).toEqual(['Thanks.']);
  });

  it('edits and removes comments that are there in words only', async () => {
    const { memory, start, told } = await openBed();
    const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
    const earlier = { topic: 'comment-rounds', body: 'All used.' };
    const { id } = await memory.openThread(key).writer.ensureComment(earlier);
    const before = memory.people.commentsOn(key);
    const { writer, ownComments } = start().platform.openThread(key);
    expect(await writer.ensureComment(earlier)).toMatchObject({ id, change: 'unchanged' });
    expect(await writer.ensureComment({ ...earlier, body: 'One left.' })).toMatchObject({
      id,
      change: 'updated',
    });
    expect(await writer.ensureComment({ ...earlier, body: 'One left.' })).toMatchObject({
      change: 'unchanged',
    });
    expect(await ownComments?.list()).toMatchObject([{ id, body: expect.stringContaining('One left.') }]);
    await ownComments?.remove(id);
    expect(await ownComments?.edit({ ...earlier, id })).toBe('gone');
    expect(told().map(({ write }) => write)).toEqual(['edit', 'removal']);
    expect(memory.people.commentsOn(key)).toEqual(before);
  });

  it('takes a thread from the list of a later process, until a user gives it again', async () => {
    const { memory, start, told } = await openBed();
    const key = memory.people.openIssue({ author: 'alice', title: 'Hello', labels: ['agent', 'bug'] });
    const { platform, trigger } = start();
    const ports = platform.openThread(key);
    for (const state of ['processing', 'completed'] as const) await trigger.setState(ports, { state });
    expect((await ports.reader.readThread()).labels).toEqual(['bug', 'agent done']);
    expect(told().map((one) => JSON.stringify(one))).toEqual([
      '{"write":"label","change":"add","label":"agent works"}',
      '{"write":"label","change":"remove","label":"agent"}',
      '{"write":"label","change":"add","label":"agent done"}',
      '{"write":"label","change":"remove","label":"agent works"}',
    ]);
    const later = start();
    expect((await later.trigger.listWaiting()).tasks).toEqual([]);
    memory.people.setLabels(key, ['bug']);
    memory.people.setLabels(key, ['bug', 'agent']);
    expect((await later.trigger.listWaiting()).tasks).toMatchObject([{ key }]);
    expect((await memory.openThread(key).reader.readThread()).labels).toEqual(['bug', 'agent']);
  });

  it('takes itself off in words only, and notices that it was assigned again', async () => {
    const { memory, start, told } = await openBed();
    const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
    memory.people.assign(key, ['agent']);
    const { platform, trigger } = start(createAssignmentTrigger(memory));
    expect((await trigger.listWaiting()).tasks).toHaveLength(1);
    await trigger.setState(platform.openThread(key), { state: 'completed' });
    expect(told()).toEqual([{ write: 'assignment', change: 'remove', login: 'agent' }]);
    expect((await trigger.listWaiting()).tasks).toEqual([]);
    memory.people.assign(key, []);
    memory.people.assign(key, ['agent']);
    expect((await trigger.listWaiting()).tasks).toHaveLength(1);
  });

  it('opens no draft, requests no review, and answers no review thread', async () => {
    const { memory, start, told } = await openBed();
    const key = memory.people.openPullRequest({ author: 'alice', title: 'Hello', headBranch: 'hello' });
    memory.reviewers.commentOnLine(key, { author: 'alice', body: 'Why?', path: 'a.txt', line: 1 });
    const { platform } = start();
    const { changeRequests } = platform.openThread(key);
    const draft = { headBranch: 'agent/issue-1', baseBranch: 'main', title: 'Fix', body: 'text' };
    const joinBody = (current: string | null, body: string) => (current === null ? `new ${body}` : current);
    const opened = await changeRequests?.ensureDraft({ ...draft, joinBody });
    expect(await changeRequests?.ensureDraft({ ...draft, joinBody })).toEqual(opened);
    expect(await changeRequests?.findChangeRequest({ headBranch: draft.headBranch })).toEqual(opened);
    const account = { id: '1', login: 'alice', kind: 'person' } as const;
    await changeRequests?.requestReview?.({ number: opened?.number ?? 0, account });
    const { threads, checks } = platform.openReview?.(key) ?? {};
    const reviewThread = (await threads?.list())?.[0]?.id ?? '';
    for (const change of ['created', 'unchanged'])
      expect(await threads?.answer({ reviewThread, topic: 'run:1:a', body: 'So.' })).toMatchObject({
        change,
      });
    await threads?.resolve(reviewThread);
    await checks?.rerun({ id: 'check-1' });
    expect(told()).toEqual([
      { write: 'draft', number: null, url: null, ...draft, body: 'new text' },
      { write: 'review-request', number: 0, login: 'alice' },
      { write: 'review-answer', reviewThread, body: 'So.' },
      { write: 'review-resolution', reviewThread },
      { write: 'check-rerun', check: 'check-1' },
    ]);
    const found = await memory.openThread(key).changeRequests?.findChangeRequest(draft);
    expect([found, (await memory.openReview?.(key)?.threads.list())?.[0]?.comments.length]).toEqual([
      null,
      1,
    ]);
  });
});

describe('fetchWithoutWrites', () => {
  const address = 'https://api.github.com';
  const sent: string[] = [];
  const send = fetchWithoutWrites(async (input, init) => {
    sent.push(`${init?.method ?? 'GET'} ${String(input)}`);
    return new Response('{}');
  });
  const graph = (query: unknown) => ({ method: 'POST', body: JSON.stringify({ query }) });

  it('sends reads and queries', async () => {
    await send(`${address}/user`);
    await send(`${address}/user`, { method: 'head' });
    await send(`${address}/graphql`, graph('query($id: ID!) { node(id: $id) { id } }'));
    expect(sent).toHaveLength(3);
  });

  it.each([
    ['/repos/a/b/issues/1/comments', { method: 'POST', body: '{}' }],
    ['/repos/a/b/issues/1', { method: 'PATCH' }],
    ['/repos/a/b/issues/1/labels/x', { method: 'delete' }],
    ['/graphql', graph('mutation { resolveReviewThread(input: {}) { clientMutationId } }')],
    ['/graphql', graph('query { a } mutation B { b }')],
    ['/graphql', graph(1)],
    ['/graphql', { method: 'POST', body: new Blob(['{}']) }],
    ['/graphql', { method: 'POST', body: 'no JSON' }],
  ])('refuses to write: %s %j', async (path, init) => {
    const before = sent.length;
    await expect(send(`${address}${path}`, init)).rejects.toMatchObject({ code: 'invalid' });
    await expect(send(new Request(`${address}${path}`, { method: 'PUT' }))).rejects.toThrow('only observes');
    expect(sent).toHaveLength(before);
  });
});
