export { compareLines, findSame, isPlan, listSteps } from '../compare-comments.ts';
export {
  demoAccounts,
  demoFault,
  demoGuess,
  demoIssue,
  demoRepository,
  demoRounding,
} from '../demo-project.ts';
export { createProgressRecord, headingsOf, isProgress, listHeadings, progressOf } from '../headings-of.ts';
export { createIssueStory, type IssueStory, type StoryPart } from '../issue-story.ts';
export { createLogTail } from '../log-tail.ts';
export { edit, isMade, type PlannedTurn, planDiscount, scriptNotice } from '../plan-discount.ts';
export { besideProxies } from '../play-demonstration.ts';
export { resultsFile } from '../prepare-discount.ts';
export { type CommentSection, readComment, stepOf } from '../read-comment.ts';
export { type DemoGitHub, startDemoGitHub } from '../start-demo-github.ts';
export { startDemoModel } from '../start-demo-model.ts';
export { toDemoConfiguration } from '../to-demo-configuration.ts';
export { createWebhook } from '../webhook.ts';
export { wrapLine } from '../wrap-line.ts';
