import { describe, expect, it } from 'vitest';
import { findOpen, type SeenMessage } from './find-open.ts';
import { markAway, markUnfinished } from './hidden-marks.ts';

const ask = (id: number): SeenMessage => ({
  id: String(id),
  content: 'question',
  isOwn: false,
  repliesTo: null,
});
const answer = (id: number, repliesTo: number | null, content = 'answer'): SeenMessage => ({
  id: String(id),
  content,
  isOwn: true,
  repliesTo: repliesTo === null ? null : String(repliesTo),
});
const half = markUnfinished('half of it', { key: 1 });

/** Ids of what is open. */
function openIn(messages: readonly SeenMessage[], starterId: string | null = null): readonly string[] {
  return findOpen(messages, { starterId }).open.map(({ id }) => id);
}

describe('findOpen', () => {
  it('takes a message for answered when something whole replies to it, in whatever order', () => {
    expect(openIn([ask(9), ask(10), answer(11, 10)])).toEqual(['9']);
    expect(openIn([ask(9), answer(10, 9), ask(11)])).toEqual(['11']);
  });

  it('finds an answer that ends before its end, with all that stands of it', () => {
    const messages = [ask(9), answer(10, 9), answer(11, 10, half)];
    const { open, leftMarks } = findOpen(messages, { starterId: null });
    expect(open).toEqual([{ id: '9', standing: messages.slice(1) }]);
    expect(leftMarks).toEqual([]);
  });

  it('names the marks that whole answers were left with', () => {
    const { open, leftMarks } = findOpen([ask(9), answer(10, 9, half), answer(11, 10)], { starterId: null });
    expect(open).toEqual([]);
    expect(leftMarks.map(({ id }) => id)).toEqual(['10']);
  });

  it('answers the beginning of a thread by the first own message without a reference', () => {
    expect(openIn([ask(9)], '8')).toEqual(['8', '9']);
    expect(openIn([ask(9), answer(10, null)], '8')).toEqual(['9']);
  });

  it('takes an own message without a reference for the answer to all before it, where there is no beginning', () => {
    expect(openIn([ask(9), ask(10), answer(11, null), ask(12)])).toEqual(['12']);
  });

  it('lets a notice that some were not answered settle them up to the one that it replies to', () => {
    expect(openIn([ask(9), ask(10), ask(11), answer(12, 10, markAway('I was away.'))])).toEqual(['11']);
  });
});
