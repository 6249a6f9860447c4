import { describe } from 'vitest';
import { reactionWriterCases } from '../src/testing/index.ts';
import { itNotices, type WrongAdapter } from './fixtures/wrong-adapter.ts';

const reactions = (wrong: string, noticedBy: RegExp, spoil: WrongAdapter<'reactionWriter'>['spoil']) =>
  itNotices({ port: 'reactionWriter', cases: reactionWriterCases, wrong, noticedBy, spoil });

describe('the contract suite of reactions', () => {
  reactions('does nothing at all', /our own account|overlap|each meaning/, () => ({
    ensureReaction: async () => undefined,
  }));
  reactions('reacts as somebody else', /our own account/, (_writer, { people, key }) => ({
    ensureReaction: ({ commentId, meaning: name }) => people.react(key, { commentId, author: 'alice', name }),
  }));
  reactions('has one emoji for everything', /each meaning/, (writer) => ({
    ensureReaction: (reaction) => writer.ensureReaction({ ...reaction, meaning: 'seen' }),
  }));
  reactions('complains about a reaction that is there', /already reacted/, (writer, { people, key }) => ({
    ensureReaction: async (reaction) => {
      const given = await people.reactionsOn(key, reaction.commentId);
      if (given.some(({ name }) => name === reaction.meaning)) throw new Error('already been taken');
      await writer.ensureReaction(reaction);
    },
  }));
  reactions("takes somebody else's reaction for ours", /no other account's/, (writer, { people, key }) => ({
    ensureReaction: async (reaction) => {
      const given = await people.reactionsOn(key, reaction.commentId);
      if (!given.some(({ name }) => name === reaction.meaning)) await writer.ensureReaction(reaction);
    },
  }));
  reactions('keeps quiet about a comment that is gone', /deleted/, (writer) => ({
    ensureReaction: (reaction) => writer.ensureReaction(reaction).catch(() => undefined),
  }));
  reactions('reacts to the comment before', /to no other/, (writer) => ({
    ensureReaction: ({ commentId, ...reaction }) =>
      writer.ensureReaction({ ...reaction, commentId: String(Number(commentId) - 1) }),
  }));
  reactions('lists every emoji as any other', /leaves out/, (writer) => ({
    ...writer,
    listReactions: async ({ commentId }) => {
      const lists = await Promise.all(
        (['seen', 'done'] as const).map((meaning) => writer.listReactions?.({ commentId, meaning }) ?? []),
      );
      return lists.flat();
    },
  }));
  reactions(
    'lists nothing for a comment that is gone',
    /reactions to a comment that was deleted/,
    (writer) => ({
      ...writer,
      listReactions: (of) => writer.listReactions?.(of).catch(() => []) ?? Promise.resolve([]),
    }),
  );
  reactions('does not hear that its caller has had enough', /signal's reason/, (writer) => ({
    ensureReaction: ({ commentId, meaning }) => writer.ensureReaction({ commentId, meaning }),
  }));
});
