import {
  type CommentSourceFixture,
  checksContract,
  commentSourceContract,
  reviewThreadsContract,
} from '../src/testing/index.ts';
import { referenceOf } from './fixtures/gitlab-fixture.ts';
import { createGitLabReviewFixture } from './fixtures/gitlab-review-fixture.ts';

const name = 'GitLab on our simulator';

reviewThreadsContract({ name, create: createGitLabReviewFixture });
checksContract({ name, create: createGitLabReviewFixture });
commentSourceContract({ name: `${name}, for notes on lines,`, create: createLinesFixture });

/** The notes on one line of the merge request, with what happens between two pages of them. */
async function createLinesFixture(): Promise<CommentSourceFixture & { readonly close: () => Promise<void> }> {
  const { world, key, open, people, close } = await createGitLabReviewFixture();
  const project = 'octo/hello';
  const { simulator } = world;
  const threads = () => simulator.reviews.threads(project, referenceOf(key));
  return {
    key,
    open: () => open().lines,
    listing: world.listing,
    people: {
      // One thread of many answers: a note on a line of its own is dear.
      comment: async (_key, said) => {
        const [thread] = threads();
        return thread ? people.reply({ to: thread.id, ...said }) : people.commentOnLine({ line: 1, ...said });
      },
      editComment: async (_key, id, body) => people.editLine(id, body),
      deleteComment: async (_key, id) => people.deleteLine(id),
      commentsOn: async () =>
        threads().flatMap(({ notes }) => notes.map(({ id, ...note }) => ({ ...note, id: `line-${id}` }))),
      addLabels: async (_key, labels) => simulator.addLabels(project, referenceOf(key), labels),
      passTime: people.passTime,
    },
    close,
  };
}
