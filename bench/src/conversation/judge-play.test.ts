import { describe, expect, it } from 'vitest';
import type { Conversation, TimedAct } from './conversation.ts';
import { judgePlay, type Play } from './judge-play.ts';

const say = (id: string, turn: number, text = `text of ${id}`): TimedAct => ({
  ...{ do: 'say', id, turn, by: 'ada', text },
});
const edit = (id: string, turn: number, text = `other text of ${id}`): TimedAct => ({
  ...{ do: 'edit', id, turn, text },
});
const remove = (id: string, turn: number): TimedAct => ({ do: 'delete', id, turn });

/** Judges requests by the messages of the user in each; an act of turn n is done during the n-th. */
function judge(acts: readonly TimedAct[], requests: readonly (readonly string[])[]) {
  const conversation: Conversation = { name: 'test', task: 'Work.', turns: 9, acts };
  const play: Play = {
    calls: requests.map((userMessages) => ({ userMessages: ['Work.', ...userMessages] })),
    doneAt: acts.map(({ turn }) => (turn <= requests.length ? turn - 1 : null)),
  };
  return judgePlay(conversation, play);
}

describe('judgePlay', () => {
  it('finds nothing wrong where each comment is in the next request and stays there [NX-290]', () => {
    const found = judge(
      [say('a', 1), say('b', 2)],
      [[], ['@ada: text of a'], ['@ada: text of a', '@ada: text of b']],
    );
    expect(found).toEqual({
      ...{ comments: 2, lost: [], duplicated: [], outOfOrder: [], undone: 0 },
      late: [
        { id: 'a', calls: 0 },
        { id: 'b', calls: 0 },
      ],
      edits: { of: 0, heard: 0 },
      deletions: { of: 0, heard: 0 },
    });
  });

  it('calls a comment lost that the last request lacks, though an earlier one had it [NX-290]', () => {
    expect(judge([say('a', 1)], [[], ['text of a'], []]).lost).toEqual(['a']);
    expect(judge([say('a', 1)], [[]]).lost).toEqual(['a']);
  });

  it('calls a comment duplicated that stands in two messages of the last request, and not one that was sent again [NX-290]', () => {
    const twice = ['text of a', 'again: text of a'];
    expect(judge([say('a', 1)], [[], ['text of a'], twice]).duplicated).toEqual(['a']);
    expect(judge([say('a', 1)], [[], ['text of a'], ['text of a']]).duplicated).toEqual([]);
  });

  it('counts the requests after a comment that lacked it, the one during which it was said left out [NX-290]', () => {
    const { late } = judge([say('a', 1)], [[], [], [], ['text of a']]);
    expect(late).toEqual([{ id: 'a', calls: 2 }]);
  });

  it('counts an edit for itself, and by it what was edited before it was heard [NX-290]', () => {
    const { late, edits } = judge([say('a', 1), edit('a', 2)], [[], [], ['other text of a']]);
    expect(late).toEqual([
      { id: 'a', calls: 1 },
      { id: 'a', calls: 0 },
    ]);
    expect(edits).toEqual({ of: 1, heard: 1 });
  });

  it('finds an edit that was not heard, and takes no quote of the earlier text for a second one [NX-290]', () => {
    const acts = [say('a', 1), edit('a', 2, 'new words')];
    expect(judge(acts, [[], ['text of a'], ['text of a']]).edits).toEqual({ of: 1, heard: 0 });
    const told = ['text of a', 'Edited by @ada: new words\n-text of a\n+new words'];
    const { edits, duplicated } = judge(acts, [[], ['text of a'], told]);
    expect([edits, duplicated]).toEqual([{ of: 1, heard: 1 }, []]);
  });

  it('asks for a word of a deletion only where the comment had been heard, and takes no other comment for it [NX-290]', () => {
    const acts = [say('a', 1), remove('a', 2)];
    const heard = (last: readonly string[]) => judge(acts, [[], ['text of a'], last]).deletions;
    expect(heard(['text of a', 'Comment deleted by @ada: text of a'])).toEqual({ of: 1, heard: 1 });
    expect(heard(['text of a'])).toEqual({ of: 1, heard: 0 });
    expect(heard(['text of a', 'Please delete the file.'])).toEqual({ of: 1, heard: 0 });
    expect(judge(acts, [[], [], []])).toMatchObject({ deletions: { of: 0, heard: 0 }, lost: [] });
  });

  it('finds what stands before something that was said earlier, in one message too [NX-290]', () => {
    const acts = [say('a', 1), say('b', 1), say('c', 1)];
    expect(judge(acts, [[], ['text of b', 'text of a', 'text of c']]).outOfOrder).toEqual(['b']);
    expect(judge(acts, [[], ['text of a, text of c, text of b']]).outOfOrder).toEqual(['c']);
    expect(judge(acts, [[], ['text of a, text of b', 'text of c']]).outOfOrder).toEqual([]);
  });

  it('counts what people had no time to do, and asks for none of it [NX-290]', () => {
    expect(judge([say('a', 1), say('b', 5)], [[], ['text of a']])).toMatchObject({
      ...{ comments: 1, lost: [], undone: 1 },
    });
  });
});
