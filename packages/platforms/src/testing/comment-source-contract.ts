import assert from 'node:assert/strict';
import { commentPagingCases } from './comment-paging-cases.ts';
import {
  assertTime,
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithReason,
  unusualText,
} from './contract.ts';
import type { CommentSourceFixture } from './contract-fixture.ts';

const long = 60_000;
const cursorOf = 'the cursor of a listing with comments';

async function commentTimes(fixture: CommentSourceFixture, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await fixture.people.comment(fixture.key, { author: 'alice', body: `comment ${index}` }));
  }
  return ids;
}

/** Every promise of a `CommentSource`, as functions that need no test runner. */
export const commentSourceCases: readonly ContractCase<CommentSourceFixture>[] = [
  {
    name: 'lists a thread without comments as complete and empty, with no cursor',
    run: async ({ open }) => {
      const listing = await open().listComments({ since: null });
      assert.deepEqual(listing, { comments: [], complete: true, cursor: null, unchanged: false });
    },
  },
  {
    name: 'lists every comment once, oldest first, however many pages the platform makes of them [CD-31, X3]',
    run: async (fixture) => {
      const ids = await commentTimes(fixture, 205);
      const listing = await fixture.open().listComments({ since: null });
      assert.deepEqual(
        listing.comments.map(({ id }) => id),
        ids,
      );
      assert.equal(listing.complete, true);
    },
  },
  {
    name: 'shows who wrote what, when and where [CD-31, X3]',
    run: async ({ open, key, people }) => {
      const id = await people.comment(key, { author: 'bob', body: unusualText });
      const [comment] = (await open().listComments({ since: null })).comments;
      const { author, body, createdAt, updatedAt } = present(comment, 'the comment that bob wrote');
      assert.deepEqual({ id: comment?.id, body }, { id, body: unusualText });
      assert.deepEqual({ login: author?.login, kind: author?.kind }, { login: 'bob', kind: 'person' });
      assert.match(present(author, 'its author').id, /./u);
      assertTime(createdAt);
      if (updatedAt !== null) assertTime(updatedAt);
    },
  },
  {
    name: 'gives back a body as long as the platform takes, whole',
    run: async ({ open, key, people }) => {
      const body = 'あ'.repeat(long);
      await people.comment(key, { author: 'alice', body });
      const { comments } = await open().listComments({ since: null });
      assert.equal(comments[0]?.body, body);
    },
  },
  {
    name: 'shows a new comment after a cursor, and does not call that listing complete [CD-59]',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      await commentTimes(fixture, 40);
      await people.passTime(4_000);
      await commentTimes(fixture, 1);
      const source = open();
      const { cursor } = await source.listComments({ since: null });
      await people.passTime(4_000);
      const id = await people.comment(key, { author: 'bob', body: 'new' });
      const news = await source.listComments({ since: present(cursor, cursorOf) });
      assert.ok(
        news.comments.some((comment) => comment.id === id),
        'the new comment is not listed',
      );
      assert.equal(news.unchanged, false);
      assert.ok(!news.complete || news.comments.length === 42, 'part of a thread is not the whole of it');
    },
  },
  {
    name: 'shows an old comment again after it was edited',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const [first] = await commentTimes(fixture, 3);
      const source = open();
      const before = await source.listComments({ since: null });
      await people.passTime(300);
      await people.editComment(key, present(first, 'the first comment'), 'changed my mind');
      const { comments } = await source.listComments({ since: before.cursor });
      const edited = present(
        comments.find(({ id }) => id === first),
        'the edited comment',
      );
      assert.equal(edited.body, 'changed my mind');
      assert.notEqual(edited.updatedAt, before.comments[0]?.updatedAt);
      assert.equal(edited.createdAt, before.comments[0]?.createdAt);
    },
  },
  {
    name: 'loses no comment of the very second in which it polled',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      await commentTimes(fixture, 1);
      const source = open();
      const { cursor } = await source.listComments({ since: null });
      const id = await people.comment(key, { author: 'bob', body: 'in the same second' });
      const { comments } = await source.listComments({ since: cursor });
      assert.ok(
        comments.some((comment) => comment.id === id),
        'the comment written after the poll is not listed',
      );
    },
  },
  {
    name: 'leaves a deleted comment out of the whole thread',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const [first, second] = await commentTimes(fixture, 2);
      const source = open();
      await source.listComments({ since: null });
      await people.deleteComment(key, present(first, 'the first comment'));
      const { comments, complete } = await source.listComments({ since: null });
      assert.deepEqual(
        comments.map(({ id }) => id),
        [second],
      );
      assert.equal(complete, true);
    },
  },
  {
    name: 'answers a poll without changes with the same cursor and nothing new [CD-59]',
    run: async (fixture) => {
      const ids = await commentTimes(fixture, 3);
      const source = fixture.open();
      let { cursor } = await source.listComments({ since: null });
      for (let look = 0; look < 3; look += 1) {
        const listing = await source.listComments({ since: cursor });
        assert.equal(listing.cursor, present(cursor, cursorOf), 'the cursor changed while nothing was new');
        assert.ok(
          listing.comments.every(({ id }) => ids.includes(id)),
          'a comment is listed that does not exist',
        );
        if (listing.unchanged) assert.deepEqual(listing.comments, []);
        cursor = listing.cursor;
      }
    },
  },
  {
    name: 'keeps its cursor over polls that show nothing at all',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const [only] = await commentTimes(fixture, 1);
      const source = open();
      const { cursor } = await source.listComments({ since: null });
      await people.deleteComment(key, present(only, 'the only comment'));
      const after = await source.listComments({ since: present(cursor, cursorOf) });
      assert.deepEqual(after.comments, []);
      assert.equal(after.cursor, cursor, 'a poll that shows nothing has to keep the cursor');
    },
  },
  {
    name: 'shows comments only, never what the platform itself notes on a thread [X3]',
    run: async ({ open, key, people }) => {
      await people.addLabels(key, ['bug']);
      assert.deepEqual((await open().listComments({ since: null })).comments, []);
    },
  },
  ...commentPagingCases,
  {
    name: "ends with the signal's reason",
    run: ({ open }) => rejectsWithReason((signal) => open().listComments({ since: null, signal })),
  },
];

/**
 * The tests that every `CommentSource` passes.
 *
 * @example
 * commentSourceContract({
 *   name: 'our tracker',
 *   create: async () => {
 *     const fixture = await createMemoryFixture(); // yours: the contract world on your own tracker
 *     return { ...toPortFixtures(fixture).commentSource, close: fixture.close };
 *   },
 * });
 */
export function commentSourceContract(options: ContractOptions<CommentSourceFixture>): void {
  describeContract({ port: 'CommentSource', cases: commentSourceCases }, options);
}
