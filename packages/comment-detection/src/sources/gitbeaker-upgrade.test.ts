import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { Gitlab } from '@gitbeaker/rest';
import { expect, it, onTestFinished } from 'vitest';
import { CommentDetectionManager } from '../index.ts';
import { createCommentSource } from './index.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const repo = 'alice/shop';

/** Watches a thread by a clock that moves on at each question. */
function watch(source: ReturnType<typeof createCommentSource>): CommentDetectionManager {
  let clock = 0;
  return new CommentDetectionManager(source, { logger: silent, monotonicNow: () => (clock += 2_000) });
}

it('createCommentSource does not report old verdicts of GitLab after an upgrade from a version that read the conversation alone', async () => {
  let clock = Date.parse('2026-01-01T10:00:00Z');
  const gitlab = await startGitLabSimulator({ now: () => clock });
  onTestFinished(() => gitlab.close());
  for (const username of ['alice', 'bob', 'robot']) gitlab.addUser({ username });
  gitlab.addToken({ token: 'robot-token', username: 'robot' });
  const members = { robot: 'developer', alice: 'developer', bob: 'developer' } as const;
  const projectId = await gitlab.addProject({ path: repo, members, files: { 'a.ts': 'one\n' } });
  const { iid, reference } = await gitlab.openMergeRequest({
    ...{ project: repo, author: 'robot', title: 'Fix the export', sourceBranch: 'fix' },
    files: { 'a.ts': 'eins\n' },
  });
  const client = new Gitlab({ host: gitlab.url, token: 'robot-token' });
  const place = { projectId, mergeRequestIid: iid, now: () => clock };
  const before = watch(createCommentSource(client, { ...place, include: ['comments'] }));
  await before.initialize();
  clock += 5_000;
  gitlab.reviews.requestChanges(repo, reference, 'bob');
  gitlab.note({ project: repo, reference, author: 'bob', body: 'said during the restart' });
  clock += 5_000;
  const upgraded = watch(createCommentSource(client, place));
  upgraded.restore(before.toState(), []);
  const { added } = await upgraded.checkForChanges();
  expect(added.map(({ body }) => body)).toEqual(['said during the restart']);
  clock += 5_000;
  // A verdict of the time between two processes of this version is reported.
  gitlab.reviews.approve(repo, reference, 'alice');
  const restarted = watch(createCommentSource(client, place));
  restarted.restore(upgraded.toState(), []);
  const later = await restarted.checkForChanges();
  expect(later.added.map(({ author }) => author?.login)).toContain('alice');
});
