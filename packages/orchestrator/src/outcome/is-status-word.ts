const english = [
  ...['done', 'all done', 'it is done', 'its done', 'everything is done', 'i am done', 'im done'],
  ...['the task is done', 'the work is done', 'task done', 'work done', 'job done', 'all is done'],
  ...['finished', 'all finished', 'it is finished', 'i am finished', 'im finished', 'i have finished'],
  ...['the task is finished', 'task finished', 'complete', 'completed', 'all complete', 'all completed'],
  ...['it is complete', 'the task is complete', 'the task is completed', 'task complete', 'task completed'],
  ...['the task has been completed', 'i have completed the task', 'ive completed the task', 'work completed'],
  ...['ok', 'okay', 'success', 'successful', 'succeeded', 'ready', 'fixed', 'it is fixed', 'implemented'],
  ...['resolved', 'solved', 'sure', 'got it', 'understood', 'will do', 'thanks', 'thank you', 'great'],
  ...['status', 'result', 'summary', 'final answer', 'end', 'the end', 'no output', 'none', 'null', 'na'],
];

const japanese = [
  ...[
    '完了',
    '完了です',
    '完了しました',
    '全て完了しました',
    'すべて完了しました',
    'タスク完了',
    'タスク完了です',
  ],
  ...['タスクが完了しました', 'タスクを完了しました', '作業完了', '作業が完了しました', '作業を完了しました'],
  ...['終了', '終了です', '終了しました', '終わりました', '終わり', '済み', '済みです', 'できました', '完成'],
  ...[
    '完成しました',
    '対応しました',
    '対応済み',
    '対応済みです',
    '対応完了',
    '対応完了しました',
    '修正しました',
  ],
  ...['修正完了', '実装しました', '実装完了', '成功', '成功しました', '了解', '了解です', '了解しました'],
  ...[
    '承知しました',
    'わかりました',
    '分かりました',
    'オーケー',
    'okです',
    '以上',
    '以上です',
    '結果',
    '状態',
  ],
];

const statusWords: ReadonlySet<string> = new Set([...english, ...japanese]);

/**
 * Tells whether a text says only that something is done ("Done.", "✅ 完了しました"), or nothing at all. Markdown, punctuation, emoji
 * and case do not count.
 */
export function isStatusWord(text: string): boolean {
  const phrases = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’`*_~]/gu, '')
    .split(/[\n.!?。、,;:|/()[\]{}"「」#>-]+/u)
    .map((phrase) =>
      phrase
        .replaceAll(/[^\p{L}\p{N}\s]/gu, '')
        .replaceAll(/\s+/gu, ' ')
        .trim(),
    );
  return phrases.every((phrase) => phrase === '' || statusWords.has(phrase));
}
