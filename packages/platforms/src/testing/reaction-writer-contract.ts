import assert from 'node:assert/strict';
import type { ReactionMeaning } from '../model.ts';
import type { ReactionWriter } from '../ports.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `ReactionWriter` needs. */
export type ReactionWriterFixture = PortFixture<
  ReactionWriter,
  'comment' | 'deleteComment' | 'react' | 'reactionsOn'
>;

const meanings: readonly ReactionMeaning[] = ['seen', 'done', 'refused'];
const alices = { author: 'alice', body: 'Please mind the tests.' };

/** Every promise of a `ReactionWriter`, as functions that need no test runner. */
export const reactionWriterCases: readonly ContractCase<ReactionWriterFixture>[] = [
  {
    name: 'reacts as our own account, to the comment that is named and to no other',
    run: async ({ open, key, people }) => {
      const other = await people.comment(key, alices);
      const commentId = await people.comment(key, alices);
      await open().ensureReaction({ commentId, meaning: 'seen' });
      const authors = (await people.reactionsOn(key, commentId)).map(({ author }) => author);
      assert.deepEqual(authors, [contractWorld.agent]);
      assert.deepEqual(await people.reactionsOn(key, other), []);
    },
  },
  {
    name: 'changes nothing if our account has already reacted',
    run: async ({ open, key, people }) => {
      const commentId = await people.comment(key, alices);
      const reactions = open();
      await reactions.ensureReaction({ commentId, meaning: 'seen' });
      const [first] = await people.reactionsOn(key, commentId);
      await reactions.ensureReaction({ commentId, meaning: 'seen' });
      await open().ensureReaction({ commentId, meaning: 'seen' });
      assert.deepEqual(await people.reactionsOn(key, commentId), [present(first, 'our reaction')]);
    },
  },
  {
    name: 'makes one reaction of calls that overlap',
    run: async ({ open, key, people }) => {
      const commentId = await people.comment(key, alices);
      const reactions = open();
      const calls = [1, 2, 3].map(() => reactions.ensureReaction({ commentId, meaning: 'done' }));
      await Promise.all(calls);
      assert.equal((await people.reactionsOn(key, commentId)).length, 1);
    },
  },
  {
    name: 'has another emoji for each meaning, and keeps its earlier reactions',
    run: async ({ open, key, people }) => {
      const commentId = await people.comment(key, alices);
      for (const meaning of meanings) await open().ensureReaction({ commentId, meaning });
      const names = (await people.reactionsOn(key, commentId)).map(({ name }) => name);
      assert.equal(names.length, meanings.length);
      assert.equal(new Set(names).size, meanings.length);
    },
  },
  {
    name: "takes no other account's reaction for ours, and leaves it where it is",
    run: async ({ open, key, people }) => {
      const trial = await people.comment(key, alices);
      await open().ensureReaction({ commentId: trial, meaning: 'seen' });
      const { name } = present((await people.reactionsOn(key, trial))[0], 'our reaction');
      const commentId = await people.comment(key, alices);
      await people.react(key, { commentId, author: 'bob', name });
      await open().ensureReaction({ commentId, meaning: 'seen' });
      const authors = (await people.reactionsOn(key, commentId)).map(({ author }) => author);
      assert.deepEqual(authors.sort(), [contractWorld.agent, 'bob']);
    },
  },
  {
    name: 'says not-found of a comment that was deleted',
    run: async ({ open, key, people }) => {
      const commentId = await people.comment(key, alices);
      await people.deleteComment(key, commentId);
      await rejectsWithCode(open().ensureReaction({ commentId, meaning: 'seen' }), 'not-found');
    },
  },
  {
    name: 'lists who reacted with a meaning, and leaves out other meanings and comments',
    run: async ({ open, key, people }) => {
      const { listReactions } = open();
      if (listReactions === undefined) return;
      const trial = await people.comment(key, alices);
      const commentId = await people.comment(key, alices);
      for (const meaning of meanings) await open().ensureReaction({ commentId: trial, meaning });
      const names = (await people.reactionsOn(key, trial)).map(({ name }) => name);
      await people.react(key, { commentId, author: 'bob', name: present(names[1], 'the emoji of done') });
      await people.react(key, { commentId, author: 'bob', name: present(names[0], 'the emoji of seen') });
      await people.react(key, { commentId, author: 'alice', name: present(names[1], 'the emoji of done') });
      const given = await listReactions({ commentId, meaning: 'done' });
      assert.deepEqual(
        given.map(({ by }) => by?.login),
        ['bob', 'alice'],
      );
      assert.ok(given.every(({ at }) => !Number.isNaN(Date.parse(at))));
    },
  },
  {
    name: 'says not-found of the reactions to a comment that was deleted',
    run: async ({ open, key, people }) => {
      const { listReactions } = open();
      if (listReactions === undefined) return;
      const commentId = await people.comment(key, alices);
      await people.deleteComment(key, commentId);
      await rejectsWithCode(listReactions({ commentId, meaning: 'done' }), 'not-found');
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open, key, people }) => {
      const commentId = await people.comment(key, alices);
      await rejectsWithReason((signal) => open().ensureReaction({ commentId, meaning: 'seen', signal }));
      assert.deepEqual(await people.reactionsOn(key, commentId), []);
    },
  },
];

/** The tests that every `ReactionWriter` passes. */
export function reactionWriterContract(options: ContractOptions<ReactionWriterFixture>): void {
  describeContract({ port: 'ReactionWriter', cases: reactionWriterCases }, options);
}
