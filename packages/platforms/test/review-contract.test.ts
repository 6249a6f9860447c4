import {
  checksContract,
  commentSourceContract,
  type ReviewFixture,
  reviewThreadsContract,
} from '../src/testing/index.ts';
import { createGitHubReviewFixture, createMemoryReviewFixture } from './fixtures/review-fixtures.ts';

type World = ReviewFixture & { readonly close: () => Promise<void> };

const platforms: readonly [name: string, create: () => Promise<World>][] = [
  ['The platform in memory', createMemoryReviewFixture],
  ['GitHub on our simulator', createGitHubReviewFixture],
];

for (const [name, create] of platforms) {
  reviewThreadsContract({ name, create });
  checksContract({ name, create });
  commentSourceContract({
    name: `${name}, for comments on lines,`,
    create: async () => {
      const { key, open, people, close } = await create();
      let thread: string | null = null;
      return {
        key,
        open: () => open().lines,
        people: {
          // One thread of many answers: a comment on a line of its own is dear.
          comment: async (_key, said) => {
            if (thread !== null) return people.reply({ to: thread, ...said });
            const id = await people.commentOnLine({ ...said, line: 1 });
            thread = id.replace('line-', '');
            return id;
          },
          editComment: async (_key, id, body) => people.editLine(id, body),
          deleteComment: async (_key, id) => {
            await people.deleteLine(id);
            if (id === `line-${thread}`) thread = null;
          },
          commentsOn: async () => [],
          addLabels: async () => undefined,
          passTime: people.passTime,
        },
        close,
      };
    },
  });
}
