import type { Locale } from '@agent/text';

/** The log lines of seed 001 §6.1, and their English twins. */
export interface DetectionTexts {
  readonly detected: (count: number, task: string) => string;
  readonly added: (count: number, task: string) => string;
  readonly nothingNew: (task: string) => string;
  readonly failed: (error: string, task: string) => string;
}

export const detectionTexts: Readonly<Record<Locale, DetectionTexts>> = {
  ja: {
    detected: (count, task) => `新規コメントを検出しました: ${count}件 (Task: ${task})`,
    added: (count, task) => `新規コメントをコンテキストに追加しました: ${count}件 (Task: ${task})`,
    nothingNew: (task) => `新規コメントなし (Task: ${task})`,
    failed: (error, task) => `コメント取得中にエラー発生: ${error} (Task: ${task})`,
  },
  en: {
    detected: (count, task) => `New comments detected: ${count} (Task: ${task})`,
    added: (count, task) => `New comments added to the context: ${count} (Task: ${task})`,
    nothingNew: (task) => `No new comments (Task: ${task})`,
    failed: (error, task) => `Error while fetching comments: ${error} (Task: ${task})`,
  },
};
