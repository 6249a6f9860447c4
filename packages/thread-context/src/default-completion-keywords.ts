/** What says that a task is done when nothing else is configured; apart from what looks for it, which configurations do not need. */
export const defaultCompletionKeywords: readonly string[] = ['完了', 'done', 'completed', 'finished'];
