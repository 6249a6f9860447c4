import { type CommentSourceFixture, commentSourceContract } from '../src/testing/index.ts';
import { createGitLabFixture } from './fixtures/gitlab-fixture.ts';

/** A merge request of one new file, whose comments are those on its first line: one thread and its answers. */
async function createLinesFixture(): Promise<CommentSourceFixture & { readonly close: () => Promise<void> }> {
  const world = await createGitLabFixture();
  const { simulator, platform, projectId, people } = world;
  const project = 'octo/hello';
  const seed = { project, author: 'alice', title: 'New', sourceBranch: 'new', files: { 'new.txt': 'one\n' } };
  const { iid: mrIid, reference } = await simulator.openMergeRequest(seed);
  const key = { type: 'gitlab_merge_request', projectId, mrIid } as const;
  const notes = () => simulator.reviews.threads(project, reference).flatMap((thread) => thread.notes);
  const numberOf = (id: string) => Number(id.replace('line-', ''));
  const place = { project, reference, path: 'new.txt', line: 1 };
  return {
    key,
    open: () => {
      const review = platform.openReview?.(key);
      if (!review) throw new Error('GitLab has reviews.');
      return review.lines;
    },
    listing: world.listing,
    people: {
      comment: async (_key, { author, body }) => {
        const [first] = notes();
        const id = first
          ? simulator.reviews.reply({ project, to: first.id, author, body })
          : await simulator.reviews.comment({ ...place, author, body });
        return `line-${id}`;
      },
      editComment: async (_key, id, body) => simulator.editNote(project, numberOf(id), body),
      deleteComment: async (_key, id) => simulator.deleteNote(project, numberOf(id)),
      commentsOn: async () => notes().map(({ id, ...note }) => ({ ...note, id: `line-${id}` })),
      addLabels: async (_key, labels) => simulator.addLabels(project, reference, labels),
      passTime: people.passTime,
    },
    close: world.close,
  };
}

commentSourceContract({ name: 'GitLab on our simulator, for notes on lines,', create: createLinesFixture });
