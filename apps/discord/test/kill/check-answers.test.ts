import { describe, expect, it } from 'vitest';
import { type Asked, checkAnswers, type EndMessage, scriptedAnswer } from './check-answers.ts';

const asked: Asked = { id: '100', channelId: '5', number: 7, isDeleted: false };
const question: EndMessage = {
  id: '100',
  channelId: '5',
  content: 'Q7',
  isOwn: false,
  repliesTo: null,
  isRefused: false,
  hasThread: false,
};

let lastId = 200;
function own(content: string, change: Partial<EndMessage> = {}): EndMessage {
  lastId += 1;
  return { ...question, id: String(lastId), isOwn: true, repliesTo: '100', content, ...change };
}

const check = (...messages: EndMessage[]) =>
  checkAnswers([asked], [question, ...messages]).map(({ kind }) => kind);
const whole = scriptedAnswer(7, 4);
const [half = '', rest = ''] = [
  whole.split('\n').slice(0, 2).join('\n'),
  whole.split('\n').slice(2).join('\n'),
];

describe('the checker of the trials', () => {
  it('accepts one whole answer, in however many messages [NX-102]', () => {
    expect(check(own(whole))).toEqual([]);
    expect(check(own(half), own(rest))).toEqual([]);
  });

  it('accepts a word about the message, about the one after it, or a refusal [NX-102]', () => {
    expect(check(own('⚠️ I was offline and missed this message.'))).toEqual([]);
    const later = { ...question, id: '150', content: 'Q8' };
    expect(check(later, own('⚠️ … this message and 1 before it.', { repliesTo: '150' }))).toEqual([]);
    expect(checkAnswers([asked], [{ ...question, isRefused: true }])).toEqual([]);
    expect(checkAnswers([{ ...asked, isDeleted: true }], [])).toEqual([]);
  });

  it('finds silence, also where somebody else was told [NX-102]', () => {
    expect(check()).toEqual(['silent']);
    expect(check(own('⚠️ I was offline and missed this message.', { repliesTo: '101' }))).toEqual(['silent']);
    expect(check(own('not a word about it', {}))).toEqual(['silent']);
  });

  it('finds an answer that stands twice, half or in disorder [NX-104, NX-105, NX-106]', () => {
    expect(check(own(whole), own(whole))).toEqual(['twice']);
    expect(check(own(whole), own(rest))).toEqual(['twice']);
    expect(check(own(half))).toEqual(['half']);
    expect(check(own(`${whole}\n⏳`))).toEqual(['half']);
    expect(check(own(`${half}\n⏳`), own('⚠️ cut off'))).toEqual(['half']);
    expect(check(own(half), own('⚠️ cut off'))).toEqual([]);
    // Cut off in its first line, of which nothing but the place says whose it is.
    for (const begun of ['A', 'A7 li', 'A7 line 0 of 1', 'A7 line 0\n⏳']) {
      expect(check(own(begun))).toEqual(['half']);
      expect(check(own(begun, { repliesTo: null, channelId: '100' }))).toEqual(['half']);
      expect(check(own(begun, { repliesTo: '101' }))).toEqual(begun.includes('line') ? ['half'] : ['silent']);
    }
    expect(check(own(rest), own(half))).toEqual(['mixed']);
  });

  it('finds an answer beside the thread that was made for it [NX-105]', () => {
    const parent = { ...question, hasThread: true };
    expect(checkAnswers([asked], [parent, own(whole)])).toEqual([{ number: 7, kind: 'beside' }]);
    expect(checkAnswers([asked], [parent, own(whole, { channelId: '100' })])).toEqual([]);
  });
});
