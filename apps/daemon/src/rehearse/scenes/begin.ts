import { openLabel, rehearsalLabels } from '../rehearsal-config.ts';
import type { Stage } from '../stage.ts';

/** Creates the labels, and makes sure that no other rehearsal is open. @returns false if one is */
export async function prepareRepository(stage: Stage): Promise<boolean> {
  const { agent, texts, traces } = stage.parts;
  const isAlone = await stage.check('single', async () => {
    const [other] = await agent.issues.listOpen(openLabel);
    return other === undefined
      ? { status: 'passed', text: texts.alone }
      : { status: 'failed', text: texts.otherOpen(other.url) };
  });
  if (!isAlone) return false;
  return stage.check('labels', async () => {
    traces.hasLabels = true;
    for (const label of [openLabel, rehearsalLabels.bot_label]) await agent.probe.createLabel(label);
    return { status: 'passed', text: texts.labelsCreated };
  });
}

/** Opens the issue, starts the daemon, and waits until it works. @returns false if it does not */
export async function begin(stage: Stage): Promise<boolean> {
  const { agent, agentLogin, person, child, texts, traces, clock } = stage.parts;
  return stage.check('start', async () => {
    const label = rehearsalLabels.bot_label;
    traces.issue = await person.openIssue({ ...texts.issue, label });
    await agent.issues.addLabel(traces.issue.number, openLabel);
    const others = (await agent.issues.listOpen(openLabel)).filter(({ url }) => url !== traces.issue?.url);
    if (others[0] !== undefined) return { status: 'failed', text: texts.otherOpen(others[0].url) };
    const startedAt = clock.now();
    child.start();
    await stage.until('start', async () => {
      const refusal = child.lines.find(({ message }) => message.startsWith('refused task'));
      if (refusal !== undefined)
        throw new Error(texts.taskRefused(String(refusal.fields.reason ?? refusal.message)));
      const { labels } = await agent.issues.read(stage.thread.number);
      const comments = await stage.listStatusComments();
      const isClaimed = comments.some(({ author }) => author === agentLogin);
      return isClaimed && labels.includes(rehearsalLabels.processing_label) ? true : null;
    });
    return { status: 'passed', text: texts.started(stage.seconds(startedAt)) };
  });
}
