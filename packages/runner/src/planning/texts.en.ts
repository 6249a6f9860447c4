/** Numbers of a plan's progress. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly percent: number;
}

/** A formatted time; null if it is unknown. */
type ToldTime = string | null;

/** Comments about a plan. The headings in title case are fixed by the specifications that they come from. */
export const en = {
  checklist: '## 📋 Execution Plan',
  revisedChecklist: (number: number) => `## 📋 Execution Plan (Revised #${number})`,
  revisionReason: (reason: string) => `**Revision Reason**: ${reason}`,
  previousProgress: ({ done, total }: Progress) => `**Previous Progress**: ${done}/${total}`,
  newPlan: '### New Plan:',
  planHistory: '📜 Previous Plan History',
  originalChecklist: '### Original Plan',
  originalPlan: 'Original plan',
  revisedPlan: (number: number) => `Revision #${number}`,
  verificationChecklist: '## 📋 Execution Plan (Verification Round)',
  completedPlan: '### Original Plan (Completed)',
  additionalWork: '### Additional Work (From Verification)',
  progress: ({ done, total, percent }: Progress) => `*Progress: ${done}/${total} (${percent}%) complete*`,
  revisedProgress: ({ done, total, percent }: Progress, { number, at }: { number: number; at: ToldTime }) =>
    `*Progress: ${done}/${total} (${percent}%) complete | Revision: #${number}${at === null ? '' : ` at ${at}`}*`,
  verificationProgress: ({ done, total, percent }: Progress, items: number) =>
    `*Progress: ${done}/${total} (${percent}%) - Verification found ${items} additional ${items === 1 ? 'item' : 'items'}*`,
  failed: '❌ failed',
  invalidated: '🚫 no longer valid',
  more: (count: number) => `- ${count} more`,
  others: (count: number) => `${count} more actions, in brief`,
  none: 'none',

  replan: '## 🔄 Plan Revision Decided by AI',
  phase: (phase: string) => `**Phase**: ${phase}`,
  confidence: (percent: number) => `**Confidence**: ${percent}%`,
  reasoning: (text: string) => `**Reasoning**: ${text}`,
  issuesFound: '**Issues Found**:',
  recommendedActions: '**Recommended Actions**:',
  unsure: '⚠️ The model is not sure about this. If it should do something else, comment here.',

  question: '## ❓ Clarification Needed (AI Decision)',
  questionIntroduction: 'I need more information before I continue.',
  questions: '**Questions**:',
  context: (text: string) => `**Context**: ${text}`,
  ifNoResponse: (until: ToldTime) => `**If there is no answer${until === null ? '' : ` by ${until}`}:**`,
  assumptions: "I'll continue with these assumptions:",
  ownAssumptions: "I'll make the most likely assumptions, state them, and continue.",
  waits: "I'm waiting for your answers.",
  reply: 'Please answer in a comment.',

  approval: '## 🔐 Approval needed',
  goal: (objective: string) => `**Goal**: ${objective}`,
  approvalIntroduction: "I won't change anything until this plan is approved.",
  approve: (hash: string, version: number) =>
    `To approve this plan, comment \`/approve\`, or react to this comment with 👍. To change it, describe the change in a comment. If the plan or the request changes, I'll ask for approval again. (Plan \`${hash}\`, version ${version})`,

  loopMode: "⚠️ The model didn't produce a usable plan, so I continued without one. Problems found:",

  verificationPassed: '## ✅ Verification Passed',
  verificationFailed: '## ⚠️ Verification Not Passed',
  round: (round: number, last?: number) => `**Round**: ${round}${last === undefined ? '' : `/${last}`}`,
  placeholders: '**Placeholders Found**:',
  explained: (location: string, reason: string) => `- ${location}: left as it is (${reason})`,
  partial: 'The result is partial: the problems above are still open.',

  actionsDone: ({ done, total }: Progress) => `Actions completed: ${done}/${total}`,
  stopped: ({ done, total }: Progress, phase: string) =>
    `**Progress:** ${done}/${total} completed\n**Phase:** ${phase}`,
};
