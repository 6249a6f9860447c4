import { CheckFailure } from '@agent/rehearsal';
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
  let id: string | null = null;
  await checkFreshList(context, async () => {
    id = await postComments(context);
    return id;
  });
  if (id !== null) await checkReaction(context, id, async () => ({ status: 'skipped', text: texts.noRun }));
  await checkAnswers(context);
  results.skipOthers(texts.noRun);
}

/** Posts two comments, so that a list has several pages. @returns the id of the second one */
async function postComments({ parts, thread }: RehearsalContext): Promise<string> {
  const { agent, texts } = parts;
  const { stays, edited } = texts.comments;
  try {
    await agent.comments.post(thread, stays);
    return (await agent.comments.post(thread, edited)).id;
  } catch (error) {
    parts.signal.throwIfAborted();
    throw new CheckFailure((error as Error).message, texts.fixes.labels);
  }
}
