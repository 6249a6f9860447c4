/** What the earlier program stored when its model failed. */
const failureMark = '[要約生成失敗';

/** Whether a text stands where a summary should, and is none. */
export function isFailedSummary(text: string): boolean {
  return text.trimStart().startsWith(failureMark);
}
