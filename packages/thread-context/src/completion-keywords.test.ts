import { describe, expect, it } from 'vitest';
import { defaultCompletionKeywords } from './comment-handling-config.ts';
import { createCompletionTest } from './completion-keywords.ts';

const isDone = createCompletionTest(['done', '完了', 'C++', '✅', 'all set', 'готово', '  ']);

describe('createCompletionTest', () => {
  it.each([
    'It is done.',
    'DONE',
    'ｄｏｎｅ',
    'doneです',
    'well-done',
    '作業が完了しました',
    '実装ｶﾞ完了',
    'In C++ now',
    'ok ✅',
    'All  set!',
    'We are all\nset',
    'Готово!',
    '> not yet?\n\nIt is done.',
    '```\ntodo\n```\ndone',
    '`done`',
  ])('hears a keyword in %j [CC-14] [A6]', (body) => {
    expect(isDone(body)).toBe(true);
  });

  it.each([
    'abandoned',
    'undone',
    'done_at',
    'dones',
    'doné',
    'notdone2',
    'неготовость',
    '> It is done.',
    '   > > done',
    '- > done',
    '```\ndone\n```',
    'Log:\n~~~text\n完了\n~~~\nStill open.',
    '- step\n  ```\n  done\n  ```',
    '```\ndone',
    '未対応です',
    '',
  ])('hears none in %j [CC-14] [A6]', (body) => {
    expect(isDone(body)).toBe(false);
  });

  it.each([
    'not done',
    'When done, ping me.',
    'I have not done anything yet.',
    "It isn't done.",
    'Is it done?',
    'This must be done by Friday.',
    'Tell me once it is done',
    '未完了',
    'まだ完了していません',
    '作業は完了できない',
    '完了したら教えてください',
    '完了しましたか？',
    '完了せず',
    '完了した場合は連絡します',
    '完了したとは言えない',
    '完了してください',
    '完了させて',
    '完了したい',
    '完了でしょうか',
    '完了待ち',
    '完了目標は金曜',
    '完了率 40%',
    '完了には至らず',
    '未 完了',
    '完了：いいえ',
    'done: no',
    '- [ ] done',
    'un-done',
    'We failed to get it done',
  ])('hears no completion in %j, which denies it, asks or makes it a condition [CC-14, NX-16]', (body) => {
    expect(isDone(body)).toBe(false);
  });

  it.each([
    'Not what I expected, but done.',
    'No problems. Done!',
    '未対応の分も完了しました',
    '無事に完了いたしました。',
    '完了しましたが問題ないです',
    '完了しましたので確認してください',
    '完了済みです',
    '完了ずみ',
    '完了です',
    '完了させました',
    '- [x] done',
    'done: now for the tests',
  ])('hears the completion in %j, whose denial is of something else [CC-14, NX-16]', (body) => {
    expect(isDone(body)).toBe(true);
  });

  it('never hears anything when no keyword is given, and has words of its own [A6]', () => {
    expect(createCompletionTest([])('done')).toBe(false);
    expect(createCompletionTest(['', ' '])('anything')).toBe(false);
    expect(createCompletionTest(defaultCompletionKeywords)('## 実行完了\n\nFixed.')).toBe(true);
  });

  it('takes keywords as they are, not as patterns [A6]', () => {
    expect(createCompletionTest(['d.ne'])('done')).toBe(false);
    expect(createCompletionTest(['[x]'])('- [x] all of it')).toBe(true);
  });
});
