export {
  demoAccounts,
  demoFault,
  demoGuess,
  demoIssue,
  demoRepository,
  demoRounding,
} from '../demo-project.ts';
export { headingsOf, listHeadings, progressOf } from '../headings-of.ts';
export { edit, isMade, type PlannedTurn, planDiscount, scriptNotice } from '../plan-discount.ts';
export { besideProxies } from '../play-demonstration.ts';
export { resultsFile } from '../prepare-discount.ts';
export { type DemoGitHub, startDemoGitHub } from '../start-demo-github.ts';
export { startDemoModel } from '../start-demo-model.ts';
export { toDemoConfiguration } from '../to-demo-configuration.ts';
export { createWebhook } from '../webhook.ts';
