/** Numbers of a plan's progress. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly percent: number;
}

/** Times of which a text speaks, as people are told them; null where none is known. */
type ToldTime = string | null;

/** Comments about a plan, in the words of the documents that they come from. */
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
  unsure: '⚠️ The AI is not quite sure of this; say so here if it should go on another way.',

  question: '## ❓ Clarification Needed (AI Decision)',
  questionIntroduction: 'The work cannot go on before this is clear:',
  questions: '**Questions**:',
  context: (text: string) => `**Context**: ${text}`,
  ifNoResponse: (until: ToldTime) => `**If no response**${until === null ? '' : ` until ${until}`}:`,
  assumptions: 'I will proceed with the following assumptions:',
  ownAssumptions: 'I will proceed with what is most likely, and say what I assumed.',
  waits: 'Until then the work waits.',
  reply: 'Please reply to this comment with your answers.',

  approval: '## 🔐 Approval Needed',
  goal: (objective: string) => `**Goal**: ${objective}`,
  approvalIntroduction: 'Nothing but reading is done before this plan is approved.',
  approve: (hash: string) =>
    `To approve it as it stands here, comment \`/approve\`. To have it changed, say how in a comment. A plan or a request that changes is asked about anew. (Plan \`${hash}\`)`,

  loopMode:
    '⚠️ No plan came about that can be carried out, so the work goes on without one, step by step. What was wrong:',

  verificationPassed: '## ✅ Verification Passed',
  verificationFailed: '## ⚠️ Verification Not Passed',
  round: (round: number, last?: number) => `**Round**: ${round}${last === undefined ? '' : `/${last}`}`,
  placeholders: '**Placeholders Found**:',
  explained: (location: string, reason: string) => `- ${location}: left as it is (${reason})`,
  partial: 'The result is partial: what stands above is open.',

  actionsDone: ({ done, total }: Progress) => `Actions completed: ${done}/${total}`,
  stopped: ({ done, total }: Progress, phase: string) =>
    `**Progress:** ${done}/${total} completed\n**Phase:** ${phase}`,
};
