/** Calls of a tool, and how many failed. */
interface ToolUseText {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly kinds: string;
}

/** The model that a run worked with. */
interface ModelText {
  readonly model: string;
  readonly provider: string | null;
}

/** The earlier run that a notice names. */
interface NoticeText {
  readonly uuid: string;
  readonly time: string;
  readonly kinds: string;
}

/** English texts: of prompts and notices, of the history, of the log. */
export const en = {
  prompt: {
    title: '## Previous Processing Context',
    introduction: 'This Issue/MR/PR has been processed before. Below is a summary of what was done.',
    countHeading: '### Previous Processing Count',
    count: (count: number) => `${count} time(s)`,
    timeHeading: '### Latest Processing Time',
    summaryHeading: '### Summary of Previous Processing',
    decisionsHeading: '### Key Decisions',
    resultHeading: '### Result of the Last Processing',
    closing: 'Consider the above context when responding to the current request.',
    none: 'None',
    leftOut: '(left out)',
    unread: '(could not be read)',
    toolsCut: '(earlier or further calls are not counted here)',
    cut: '... (the summary is long; the rest is left out)',
    plansHeading: 'Plans:',
    planLine: (subtasks: number, percent: number) => `${subtasks} subtask(s), ${percent}% complete`,
    toolStatus: { success: 'success', error: 'failed', unknown: 'result unknown' },
    toolsHeading: 'Tools:',
    toolLine: ({ tool, calls, failed, kinds }: ToolUseText) =>
      `${tool}: ${calls} call(s)${failed === 0 ? '' : `, ${failed} failed (${kinds})`}`,
    failureKind: (kind: string) => kind,
    model: ({ model, provider }: ModelText) => `Model: ${model}${provider === null ? '' : ` (${provider})`}`,
    notice: ({ uuid, time, kinds }: NoticeText) =>
      [
        '📋 **Inherited the context of earlier runs**',
        '',
        `- From: #${uuid}`,
        `- Last processed: ${time}`,
        `- Inherited: ${kinds}`,
        '',
        "I'll take the earlier work into account for the current request.",
      ].join('\n'),
    kinds: { summary: 'summary', plans: 'plan history', tools: 'tool history' },
    kindSeparator: ', ',
  },
  history: {
    title: '## 📜 Processing history',
    none: 'There are no earlier runs.',
    depth: (depth: number) => `inheritance depth ${depth}`,
    noSummary: 'no summary',
    notEnded: 'not ended',
    status: {
      running: 'running',
      paused: 'paused',
      completed: 'completed',
      stopped: 'stopped',
      failed: 'failed',
    },
  },
  log: {
    searching: (task: string) => `Searching for contexts of earlier runs (Task: ${task})`,
    filtered: (eligible: number, found: number) =>
      `${eligible} of ${found} earlier run(s) can be inherited from`,
    detected: (count: number, task: string) => `Contexts of earlier runs detected: ${count} (Task: ${task})`,
    used: (uuid: string, depth: number, tokens: number) =>
      `Context of an earlier run inherited: #${uuid} (depth: ${depth}, tokens: ${tokens})`,
    skipped: (uuid: string, reason: string) => `Context of an earlier run skipped: #${uuid} (${reason})`,
    skipReasons: {
      missing: 'its directory does not exist',
      'no-summary': 'it has no usable summary',
      unreadable: 'it could not be read',
      unsafe: 'its secrets could not be removed',
    },
    stale: (uuid: string, commentId: string, isDeleted: boolean) =>
      `A decision was not inherited: #${uuid} (comment ${commentId} was ${isDeleted ? 'deleted' : 'edited'})`,
    damagedLines: (uuid: string, count: number) =>
      `Lines that could not be read were ignored: #${uuid} (${count} line(s))`,
    searchFailed: (task: string, error: string) =>
      `Searching for contexts of earlier runs failed: ${error} (Task: ${task})`,
  },
};
