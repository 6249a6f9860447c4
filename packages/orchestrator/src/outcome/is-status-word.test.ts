import { describe, expect, it } from 'vitest';
import { isStatusWord } from './is-status-word.ts';

describe('isStatusWord', () => {
  it.each([
    ...['', ' \n', '…', '✅', 'Done.', 'DONE!', '**Done.** ✅', 'All done! 🎉', 'Finished.', 'OK', 'ok.'],
    ...[
      "It's done.",
      'I’m done',
      'Task completed.',
      '# Done\n\nTask completed.',
      '- Done',
      'Status: completed',
    ],
    ...[
      '完了',
      '完了しました。',
      '**タスク完了** ✅',
      'ＯＫ',
      '了解しました。対応しました。',
      '作業が完了しました！',
    ],
  ])('recognizes %j', (text) => {
    expect(isStatusWord(text)).toBe(true);
  });

  it.each([
    ...['The sum is right already.', 'Done: total.js returns the sum.', 'Yes.', 'No.', '42', 'In total.js.'],
    ...[
      'No change is needed',
      'すでに修正されています。',
      '変更は不要です。',
      'はい',
      'total.js の 3 行目です。',
    ],
  ])('takes %j for more than that', (text) => {
    expect(isStatusWord(text)).toBe(false);
  });
});
