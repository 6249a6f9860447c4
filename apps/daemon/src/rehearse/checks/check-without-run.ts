import { openLabel } from '../rehearsal-config.ts';
import type { RehearsalContext } from '../rehearsal-context.ts';
import { checkAnswers, checkFreshList, checkReaction } from './check-comments.ts';
import { prepareRepository } from './check-control.ts';

/** Checks the platform alone, for a server on which no run can work. The agent opens the issue, without the label of tasks. */
export async function checkWithoutRun(context: RehearsalContext, lacks: readonly string[]): Promise<void> {
  const { agent, results, texts, created } = context.parts;
  if (!(await prepareRepository(context))) return;
  await context.check('start', async () => {
    const body = `${texts.issue.body}\n\n<!-- agent-rehearsal: ${created.id} -->`;
    created.isIssueRequested = true;
    created.issue = await agent.issues.open({ title: texts.issue.title, body });
    await agent.issues.addLabel(context.thread.number, openLabel);
    return {
      status: 'failed',
      text: texts.notStarted(lacks.join(' · ')),
      fix: texts.fixesByCause.notStarted,
    };
  });
  if (created.issue === null) return;
  const { stays, edited } = texts.comments;
  await agent.comments.post(context.thread, stays);
  const { id } = await agent.comments.post(context.thread, edited);
  await checkFreshList(context, id);
  await checkReaction(context, id, async () => ({ status: 'skipped', text: texts.noRun }));
  await checkAnswers(context);
  results.skipOthers(texts.noRun);
}
