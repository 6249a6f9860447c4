import assert from 'node:assert/strict';
import type { CommentWriter } from '../ports.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithCode,
  rejectsWithReason,
  unusualText,
} from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `CommentWriter` needs. */
export type CommentWriterFixture = PortFixture<CommentWriter, 'comment' | 'commentsOn' | 'deleteComment'>;

/** Every promise of a `CommentWriter`, as functions that need no test runner. */
export const commentWriterCases: readonly ContractCase<CommentWriterFixture>[] = [
  {
    name: 'creates the comment as our own account, with the body as written',
    run: async ({ open, key, people }) => {
      const ensured = await open().ensureComment({ topic: 'final', body: unusualText });
      const [comment] = await people.commentsOn(key);
      assert.equal(ensured.change, 'created');
      assert.equal(comment?.id, ensured.id);
      assert.equal(comment?.author, contractWorld.agent);
      assert.ok(comment?.body.replaceAll('\r\n', '\n').includes(unusualText), 'the body was not kept');
    },
  },
  {
    name: 'changes nothing when the body is the same',
    run: async ({ open, key, people }) => {
      const writer = open();
      const first = await writer.ensureComment({ topic: 'final', body: 'done' });
      const again = await writer.ensureComment({ topic: 'final', body: 'done' });
      assert.deepEqual(again, { ...first, change: 'unchanged' });
      assert.equal((await people.commentsOn(key)).length, 1);
    },
  },
  {
    name: 'brings the comment up to date when the body is another',
    run: async ({ open, key, people }) => {
      const writer = open();
      const first = await writer.ensureComment({ topic: 'progress', body: 'one of two' });
      const second = await writer.ensureComment({ topic: 'progress', body: 'two of two' });
      const comments = await people.commentsOn(key);
      assert.deepEqual({ id: second.id, change: second.change }, { id: first.id, change: 'updated' });
      assert.equal(comments.length, 1);
      assert.match(comments[0]?.body ?? '', /two of two/u);
      assert.doesNotMatch(comments[0]?.body ?? '', /one of two/u);
    },
  },
  {
    name: 'finds the comment that an earlier process wrote, behind a hundred others [X2]',
    run: async ({ open, key, people }) => {
      for (let index = 0; index < 104; index += 1) {
        await people.comment(key, { author: 'alice', body: `before ${index}` });
      }
      const first = await open().ensureComment({ topic: 'final', body: 'done' });
      const again = await open().ensureComment({ topic: 'final', body: 'done' });
      assert.deepEqual(again, { ...first, change: 'unchanged' });
      assert.equal((await people.commentsOn(key)).length, 105);
    },
  },
  {
    name: 'keeps a comment for each topic',
    run: async ({ open, key, people }) => {
      const writer = open();
      const one = await writer.ensureComment({ topic: 'final:1', body: 'same words' });
      const other = await writer.ensureComment({ topic: 'final:11', body: 'same words' });
      assert.notEqual(one.id, other.id);
      assert.equal((await people.commentsOn(key)).length, 2);
    },
  },
  {
    name: 'makes one comment of calls that overlap',
    run: async ({ open, key, people }) => {
      const writer = open();
      const bodies = ['a', 'b', 'c'];
      const ensured = await Promise.all(bodies.map((body) => writer.ensureComment({ topic: 'final', body })));
      assert.equal(new Set(ensured.map(({ id }) => id)).size, 1);
      assert.equal((await people.commentsOn(key)).length, 1);
    },
  },
  {
    name: 'never takes a comment of another account for ours, whatever it contains [X2]',
    run: async ({ open, key, people }) => {
      const ours = await open().ensureComment({ topic: 'final', body: 'done' });
      const [written] = await people.commentsOn(key);
      await people.deleteComment(key, ours.id);
      const copy = await people.comment(key, { author: 'alice', body: present(written, 'our comment').body });
      const next = await open().ensureComment({ topic: 'final', body: 'done again' });
      const comments = await people.commentsOn(key);
      assert.notEqual(next.id, copy);
      assert.equal(comments.find(({ id }) => id === copy)?.body, written?.body);
      assert.equal(comments.length, 2);
    },
  },
  {
    name: 'writes the comment again after it was deleted',
    run: async ({ open, key, people }) => {
      const writer = open();
      const first = await writer.ensureComment({ topic: 'final', body: 'done' });
      await people.deleteComment(key, first.id);
      const next = await writer.ensureComment({ topic: 'final', body: 'done, with a correction' });
      assert.notEqual(next.id, first.id);
      assert.deepEqual(
        (await people.commentsOn(key)).map(({ id }) => id),
        [next.id],
      );
    },
  },
  {
    name: 'cuts a body that is too long for the platform, and says so in it',
    run: async ({ open, key, people }) => {
      const body = `${'🙂 word '.repeat(150_000)}the end`;
      await open().ensureComment({ topic: 'final', body });
      const again = await open().ensureComment({ topic: 'final', body });
      const [comment] = await people.commentsOn(key);
      const written = present(comment, 'our comment').body;
      assert.ok(written.includes('🙂 word 🙂 word'), 'nothing of the body was kept');
      assert.ok(
        written.length < body.length && !written.includes('the end'),
        'a body of a million characters was not cut',
      );
      assert.equal(again.change, 'unchanged');
    },
  },
  {
    name: 'refuses a topic that would break out of its marker',
    run: ({ open }) =>
      rejectsWithCode(
        Promise.resolve().then(() => open().ensureComment({ topic: 'a --> b', body: '' })),
        'invalid',
      ),
  },
  {
    name: "ends with the signal's reason",
    run: ({ open }) =>
      rejectsWithReason((signal) => open().ensureComment({ topic: 'final', body: 'done', signal })),
  },
];

/** The tests that every `CommentWriter` passes. */
export function commentWriterContract(options: ContractOptions<CommentWriterFixture>): void {
  describeContract({ port: 'CommentWriter', cases: commentWriterCases }, options);
}
