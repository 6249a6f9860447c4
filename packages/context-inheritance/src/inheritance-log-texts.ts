import type { Locale } from '@agent/text';
import type { SkipReason } from './model.ts';

/** The log lines of inheritance. @see seed 002 §12.1 */
export interface InheritanceLogTexts {
  readonly searching: (task: string) => string;
  readonly filtered: (eligible: number, found: number) => string;
  readonly detected: (count: number, task: string) => string;
  readonly used: (uuid: string, depth: number, tokens: number) => string;
  readonly skipped: (uuid: string, reason: string) => string;
  readonly skipReasons: Readonly<Record<SkipReason, string>>;
  readonly stale: (uuid: string, commentId: string, isDeleted: boolean) => string;
  readonly damagedLines: (uuid: string, count: number) => string;
  readonly searchFailed: (task: string, error: string) => string;
}

export const inheritanceLogTexts: Readonly<Record<Locale, InheritanceLogTexts>> = {
  ja: {
    searching: (task) => `過去のコンテキストを検索します (Task: ${task})`,
    filtered: (eligible, found) => `過去のコンテキスト${found}件のうち${eligible}件が引き継ぎ対象です`,
    detected: (count, task) => `過去のコンテキストを検出しました: ${count}件 (Task: ${task})`,
    used: (uuid, depth, tokens) =>
      `過去のコンテキストを引き継ぎました: #${uuid} (深さ: ${depth}, トークン数: ${tokens})`,
    skipped: (uuid, reason) => `過去のコンテキストをスキップしました: #${uuid} (${reason})`,
    skipReasons: {
      missing: 'ディレクトリが存在しません',
      'no-summary': '使用できる要約がありません',
      unreadable: '読み込みに失敗しました',
      unsafe: '機密情報を除去できませんでした',
    },
    stale: (uuid, commentId, isDeleted) =>
      `決定事項を引き継ぎませんでした: #${uuid} (コメント ${commentId} が${isDeleted ? '削除' : '編集'}されました)`,
    damagedLines: (uuid, count) => `読み込めない行を無視しました: #${uuid} (${count}行)`,
    searchFailed: (task, error) => `過去のコンテキストの検索に失敗しました: ${error} (Task: ${task})`,
  },
  en: {
    searching: (task) => `Searching for contexts of earlier runs (Task: ${task})`,
    filtered: (eligible, found) => `${eligible} of ${found} earlier run(s) can be inherited from`,
    detected: (count, task) => `Contexts of earlier runs detected: ${count} (Task: ${task})`,
    used: (uuid, depth, tokens) =>
      `Context of an earlier run inherited: #${uuid} (depth: ${depth}, tokens: ${tokens})`,
    skipped: (uuid, reason) => `Context of an earlier run skipped: #${uuid} (${reason})`,
    skipReasons: {
      missing: 'its directory does not exist',
      'no-summary': 'it has no usable summary',
      unreadable: 'it could not be read',
      unsafe: 'its secrets could not be removed',
    },
    stale: (uuid, commentId, isDeleted) =>
      `A decision was not inherited: #${uuid} (comment ${commentId} was ${isDeleted ? 'deleted' : 'edited'})`,
    damagedLines: (uuid, count) => `Lines that could not be read were ignored: #${uuid} (${count} line(s))`,
    searchFailed: (task, error) => `Searching for contexts of earlier runs failed: ${error} (Task: ${task})`,
  },
};
