import { describe, expect, it } from 'vitest';
import { type GitLabFixture, onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { interposeFetch } from '../../test/fixtures/interposed-fetch.ts';
import type { TaskKey } from '../index.ts';

const project = 'octo/hello';

/** A merge request whose file has three new lines, and its reviews as another process would have them. */
async function onMergeRequest(run: (world: World) => Promise<void>): Promise<void> {
  await onGitLab(async (fixture) => {
    const { simulator, projectId } = fixture;
    const files = { 'new.txt': 'one\ntwo\nthree\n' };
    const seed = { project, author: 'agent', title: 'New', sourceBranch: 'new', files };
    const { iid } = await simulator.openMergeRequest(seed);
    const key: TaskKey = { type: 'gitlab_merge_request', projectId, mrIid: iid };
    await run({ ...fixture, key, reference: `!${iid}`, open: () => openReview(fixture, key) });
  });
}

interface World extends GitLabFixture {
  readonly key: TaskKey;
  readonly reference: `!${number}`;
  readonly open: () => ReturnType<typeof openReview>;
}

function openReview({ connect }: GitLabFixture, key: TaskKey) {
  const requests: string[] = [];
  const options = { onRequest: ({ route }: { readonly route: string }) => void requests.push(route) };
  const review = connect().openReview?.(key, options);
  if (!review?.reviews) throw new Error('GitLab has reviews.');
  return { ...review, reviews: review.reviews, requests };
}

const onLine = (world: World, line: number, body: string) =>
  world.simulator.reviews.comment({
    project,
    reference: world.reference,
    author: 'alice',
    body,
    path: 'new.txt',
    line,
  });

describe('notes on lines of a merge request', () => {
  it('are comments on lines, and no comments of the conversation [NX-189]', () =>
    onMergeRequest(async (world) => {
      const { simulator, reference, connect, key, open } = world;
      const said = simulator.note({ project, reference, author: 'bob', body: 'Hello' });
      const id = await onLine(world, 2, 'Why two?');
      const { comments } = await connect().openThread(key).comments.listComments({ since: null });
      expect(comments.map((one) => [one.id, one.subject])).toEqual([[String(said.id), null]]);
      const lines = await open().lines.listComments({ since: null });
      expect(lines).toMatchObject({ complete: true, comments: [{ id: `line-${id}`, body: 'Why two?' }] });
      expect(lines.comments[0]?.subject).toEqual({
        kind: 'line',
        path: 'new.txt',
        firstLine: 2,
        lastLine: 2,
        side: 'new',
        hunk: '@@ -0,0 +1,3 @@\n+one\n+two',
        commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
        outdated: false,
        resolved: false,
        reviewThread: simulator.reviews.threads(project, reference)[0]?.id,
      });
      const issue = connect().openReview?.({ type: 'gitlab_issue', projectId: world.projectId, issueIid: 1 });
      expect(issue).toBeNull();
    }));

  it('get reactions as all notes do; verdicts and checks, which are no notes, get none', () =>
    onMergeRequest(async (world) => {
      const { simulator, reference, connect, key } = world;
      const id = await onLine(world, 2, 'Why two?');
      const { reactions } = connect().openThread(key);
      for (const commentId of [`line-${id}`, 'review-7', 'check-0a1b-test'])
        await reactions?.ensureReaction({ commentId, meaning: 'seen' });
      const { notes } = simulator.thread(project, reference);
      expect(notes.map(({ awards }) => awards)).toEqual([[{ author: 'agent', name: 'eyes' }]]);
    }));

  it('say where their lines are after a push, and that they were changed', () =>
    onMergeRequest(async (world) => {
      await onLine(world, 2, 'Why two?');
      await onLine(world, 3, 'Why three?');
      const files = { 'new.txt': 'zero\none\ntwo\n3\n' };
      await world.simulator.push({ project, branch: 'new', author: 'alice', files });
      const { comments } = await world.open().lines.listComments({ since: null });
      expect(comments.map(({ subject }) => subject)).toMatchObject([
        { firstLine: 3, outdated: false },
        { lastLine: 3, outdated: true },
      ]);
    }));

  it('cost one request for as long as nothing is said, moved or resolved', () =>
    onMergeRequest(async (world) => {
      const { lines, requests } = world.open();
      const id = await onLine(world, 2, 'Why two?');
      const { cursor } = await lines.listComments({ since: null });
      requests.length = 0;
      const again = await lines.listComments({ since: cursor });
      expect(again.comments.map((one) => one.id)).toEqual([`line-${id}`]);
      expect(requests).toEqual(['GET /projects/{id}/merge_requests/{merge_request_iid}/notes']);
      world.simulator.reviews.resolve(project, id, { by: 'alice' });
      const resolved = await lines.listComments({ since: cursor });
      expect(resolved.comments[0]?.subject).toMatchObject({ resolved: true });
      world.simulator.deleteNote(project, id);
      expect(await lines.getComment?.(`line-${id}`)).toBeNull();
      expect((await lines.listComments({ since: cursor })).comments).toEqual([]);
    }));
});

it('finds the thread of a note on lines though another one is deleted between two pages of threads', () =>
  onMergeRequest(async (world) => {
    const { simulator, reference, connect, key } = world;
    const said = Array.from({ length: 100 }, (_, index) =>
      simulator.note({ project, reference, author: 'bob', body: `Note ${index}` }),
    );
    const id = await onLine(world, 2, 'Why two?');
    const hand = interposeFetch();
    hand.afterNext(/\/discussions\?/u, () => simulator.deleteNote(project, said[0]?.id ?? 0));
    const review = connect({ fetch: hand.fetch }).openReview?.(key);
    expect((await review?.lines.listComments({ since: null }))?.comments).toMatchObject([
      { id: `line-${id}` },
    ]);
    simulator.note({ project, reference, author: 'bob', body: 'One more' });
    hand.afterNext(/\/discussions\?/u, () => simulator.deleteNote(project, said[1]?.id ?? 0));
    expect(await review?.threads.list()).toHaveLength(1);
  }));

describe('threads on lines of a merge request', () => {
  it('are answered once, whatever becomes of the answer, and resolved [NX-190]', () =>
    onMergeRequest(async (world) => {
      const { simulator, reference, open } = world;
      const id = await onLine(world, 2, 'Why two?');
      const [thread] = await open().threads.list();
      if (!thread) throw new Error('no thread');
      expect(thread).toMatchObject({
        path: 'new.txt',
        lastLine: 2,
        resolved: false,
        comments: [{ id: `line-${id}` }],
      });
      const answer = { reviewThread: thread.id, topic: 'answer', body: 'Because.\n/close' };
      const path = /discussions\/[0-9a-f]+\/notes/;
      simulator.fail({ method: 'POST', path, kind: 'reset-after-effect' });
      expect(await open().threads.answer(answer)).toMatchObject({ change: 'created' });
      expect(await open().threads.answer(answer)).toMatchObject({ change: 'unchanged' });
      expect(await open().threads.answer({ ...answer, body: 'So.' })).toMatchObject({ change: 'updated' });
      const stands = simulator.reviews.threads(project, reference)[0];
      expect(stands?.notes).toHaveLength(2);
      expect(stands?.notes[1]?.body).toContain('So.');
      expect(simulator.thread(project, reference).state).toBe('opened');
      await open().threads.resolve(thread.id);
      await open().threads.resolve(thread.id);
      expect(await open().threads.list()).toMatchObject([{ resolved: true }]);
      const missing = { ...answer, reviewThread: '0'.repeat(40) };
      await expect(open().threads.answer(missing)).rejects.toMatchObject({ code: 'not-found' });
      await expect(open().threads.resolve(missing.reviewThread)).rejects.toMatchObject({ code: 'not-found' });
    }));
});

describe('reviews of a merge request', () => {
  it('are the present verdicts of accounts, and change with them [NX-191]', () =>
    onMergeRequest(async ({ simulator, reference, open }) => {
      const { reviews } = open();
      const list = async () => (await reviews.listComments({ since: null })).comments;
      expect(await list()).toEqual([]);
      simulator.reviews.requestChanges(project, reference, 'alice');
      const [asked] = await list();
      expect(asked).toMatchObject({ author: { login: 'alice' }, subject: { state: 'changes-requested' } });
      simulator.reviews.approve(project, reference, 'alice');
      const [approved] = await list();
      expect(approved).toMatchObject({
        id: asked?.id,
        subject: { kind: 'review', state: 'approved', commit: null },
      });
      expect(approved?.body).not.toBe(asked?.body);
      simulator.reviews.unapprove(project, reference, 'alice');
      expect(await list()).toMatchObject([{ id: asked?.id, subject: { state: 'dismissed' } }]);
      simulator.reviews.approve(project, reference, 'octo');
      const octo = (await list()).find(({ author }) => author?.login === 'octo');
      simulator.reviews.unapprove(project, reference, 'octo');
      expect(await reviews.getComment?.(octo?.id ?? '')).toBeNull();
    }));
});
