import assert from 'node:assert/strict';
import { formatCommentMarker } from '../comments/own-comment.ts';
import type { CommentWriter, OwnComments } from '../ports.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';
import { contractWorld, type ListingHand, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `OwnComments` needs: the role and the writer beside it, both of one thread. */
export type OwnCommentsFixture = PortFixture<
  { readonly writer: CommentWriter; readonly ownComments: OwnComments },
  'comment' | 'commentsOn' | 'deleteComment'
> & { readonly listing?: ListingHand | undefined };

const marked = (body: string, topic = 'final') => `${formatCommentMarker(topic)}\n${body}`;

/** A comment of the agent's account that an earlier write left, whose answer nobody got. */
const leave = ({ people, key }: Pick<OwnCommentsFixture, 'people' | 'key'>, body: string) =>
  people.comment(key, { author: contractWorld.agent, body: marked(body) });

const idsOn = async ({ people, key }: Pick<OwnCommentsFixture, 'people' | 'key'>) =>
  (await people.commentsOn(key)).map(({ id }) => id);

/** Every promise of `OwnComments`, as functions that need no test runner. */
export const ownCommentsCases: readonly ContractCase<OwnCommentsFixture>[] = [
  {
    name: 'lists the comments of our own account that carry a topic, and no others [NX-98]',
    run: async ({ open, key, people }) => {
      await people.comment(key, { author: 'alice', body: marked('a copy') });
      await people.comment(key, { author: contractWorld.agent, body: 'without a topic' });
      const first = await open().writer.ensureComment({ topic: 'final', body: 'done' });
      const second = await open().writer.ensureComment({ topic: 'note', body: 'more' });
      const own = await open().ownComments.list();
      assert.deepEqual(
        own.map(({ id, topic }) => ({ id, topic })),
        [
          { id: first.id, topic: 'final' },
          { id: second.id, topic: 'note' },
        ],
      );
      assert.ok(own[0]?.body.includes('done'), 'the body has to be there');
    },
  },
  {
    name: 'keeps a note with a comment that readers do not see [NX-99]',
    run: async ({ open }) => {
      const { writer, ownComments } = open();
      await writer.ensureComment({ topic: 'final', body: 'done', note: 'state=working; at=12:ab' });
      await writer.ensureComment({ topic: 'other', body: 'done' });
      const own = await ownComments.list();
      assert.deepEqual(
        own.map(({ note }) => note),
        ['state=working; at=12:ab', null],
      );
      const next = await writer.ensureComment({ topic: 'final', body: 'done', note: 'state=ended' });
      assert.deepEqual({ id: next.id, change: next.change }, { id: own[0]?.id, change: 'updated' });
      await rejectsWithCode(
        Promise.resolve().then(() => writer.ensureComment({ topic: 'a', body: '', note: 'b --> c' })),
        'invalid',
      );
    },
  },
  {
    name: 'makes one of two comments on a topic: the younger goes, and copies of other people stay [NX-98]',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const older = await leave(fixture, 'done');
      const copy = await people.comment(key, { author: 'alice', body: marked('a copy') });
      await leave(fixture, 'done');
      const own = await open().ownComments.list();
      assert.deepEqual(
        own.map(({ id }) => id),
        [older],
      );
      assert.deepEqual(await idsOn(fixture), [older, copy]);
    },
  },
  {
    name: 'brings the older of two comments up to date at the next write, and removes the younger [NX-98]',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const older = await leave(fixture, 'as it was');
      await leave(fixture, 'as it was');
      const ensured = await open().writer.ensureComment({ topic: 'final', body: 'as it is' });
      assert.deepEqual({ id: ensured.id, change: ensured.change }, { id: older, change: 'updated' });
      assert.deepEqual(await idsOn(fixture), [older]);
      assert.match((await people.commentsOn(key))[0]?.body ?? '', /as it is/u);
    },
  },
  {
    name: 'finds the comment behind a hundred others, although one of them is deleted between two pages [NX-98]',
    run: async (fixture) => {
      const { open, key, people, listing } = fixture;
      const ids: string[] = [];
      for (let index = 0; index < 100; index += 1)
        ids.push(await people.comment(key, { author: 'alice', body: `before ${index}` }));
      const ours = await open().writer.ensureComment({ topic: 'final', body: 'done' });
      const vanish = () => people.deleteComment(key, ids[3] ?? '');
      if (listing === undefined) await vanish();
      else listing.afterFirstPage(vanish);
      const again = await open().writer.ensureComment({ topic: 'final', body: 'done' });
      assert.deepEqual({ id: again.id, change: again.change }, { id: ours.id, change: 'unchanged' });
    },
  },
  {
    name: 'deletes a comment, also if it is already gone; the next write creates it again [NX-98]',
    run: async (fixture) => {
      const { writer, ownComments } = fixture.open();
      const first = await writer.ensureComment({ topic: 'final', body: 'done' });
      await ownComments.remove(first.id);
      await ownComments.remove(first.id);
      assert.deepEqual(await idsOn(fixture), []);
      const next = await writer.ensureComment({ topic: 'final', body: 'done' });
      assert.equal(next.change, 'created');
      assert.deepEqual(await idsOn(fixture), [next.id]);
    },
  },
  {
    name: 'edits the comment with an id, also one of an earlier process, and keeps its topic and place [NX-236]',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const { id } = await open().writer.ensureComment({ topic: 'final', body: 'as it was' });
      await people.comment(key, { author: 'alice', body: 'Thanks.' });
      const { writer, ownComments } = open();
      const said = { id, topic: 'final', body: 'as it is', note: 'state=working' };
      assert.deepEqual(
        [await ownComments.edit(said), await ownComments.edit(said)],
        ['updated', 'unchanged'],
      );
      const [own, ...others] = await ownComments.list();
      assert.deepEqual([own?.id, own?.topic, own?.note, others], [id, 'final', 'state=working', []]);
      assert.match(own?.body ?? '', /as it is/u);
      const next = await writer.ensureComment({ topic: 'final', body: 'as it is', note: 'state=working' });
      assert.deepEqual({ id: next.id, change: next.change }, { id, change: 'unchanged' });
    },
  },
  {
    name: 'edits nothing where the comment is gone, and makes none, until one is wanted [NX-236]',
    run: async (fixture) => {
      const { open, key, people } = fixture;
      const { writer, ownComments } = open();
      const { id } = await writer.ensureComment({ topic: 'final', body: 'done' });
      await people.deleteComment(key, id);
      const said = { id, topic: 'final', body: 'done still' };
      assert.deepEqual([await ownComments.edit(said), await open().ownComments.edit(said)], ['gone', 'gone']);
      assert.deepEqual(await idsOn(fixture), []);
      const next = await writer.ensureComment({ topic: 'final', body: 'done' });
      assert.equal(next.change, 'created');
      assert.equal(await ownComments.edit(said), 'gone');
      assert.deepEqual(await idsOn(fixture), [next.id]);
      assert.doesNotMatch((await people.commentsOn(key))[0]?.body ?? '', /done still/u);
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) =>
        open().ownComments.edit({ id: '1', topic: 'final', body: 'done', signal }),
      );
      await rejectsWithReason((signal) => open().ownComments.list({ signal }));
      await rejectsWithReason((signal) => open().ownComments.remove('1', { signal }));
    },
  },
];

/** The tests that every `OwnComments` passes. */
export function ownCommentsContract(options: ContractOptions<OwnCommentsFixture>): void {
  describeContract({ port: 'OwnComments', cases: ownCommentsCases }, options);
}
