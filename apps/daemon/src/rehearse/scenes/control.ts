import type { RunView } from '@agent/orchestrator/watch';
import type { OpenedIssue } from '../person.ts';
import { openLabel, rehearsalLabels } from '../rehearsal-config.ts';
import { describeEnd, type Stage } from '../stage.ts';

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
    // All of them, so that the clean-up knows which ones were in the repository before.
    for (const label of [openLabel, ...Object.values(rehearsalLabels)])
      if (await agent.probe.createLabel(label)) traces.labels.push(label);
    return { status: 'passed', text: texts.labelsCreated };
  });
}

/** Opens the issue, starts the daemon, and waits until it works. @returns false if it does not */
export async function begin(stage: Stage): Promise<boolean> {
  const { agent, agentLogin, person, child, texts, traces, clock } = stage.parts;
  return stage.check('start', async () => {
    const label = rehearsalLabels.bot_label;
    const body = `${texts.issue.body}\n\n<!-- agent-rehearsal: ${traces.id} -->`;
    const onOpened = (issue: OpenedIssue) => {
      traces.issue = issue;
    };
    traces.isIssueRequested = true;
    onOpened(await person.openIssue({ id: traces.id, title: texts.issue.title, body, label, onOpened }));
    await agent.issues.addLabel(stage.thread.number, openLabel);
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

/** Pauses and resumes the run by comments. */
export async function playPause(stage: Stage): Promise<void> {
  const { agent, texts } = stage.parts;
  const isPaused = await stage.check('pause', async () => {
    const id = await command(stage, '/pause');
    await stage.until('model', async () => {
      const run = await readCommanded(stage, id);
      stage.requireUnfinished(run);
      return run.row.state === 'paused' ? true : null;
    });
    await stage.until('platform', async () => {
      const { labels } = await agent.issues.read(stage.thread.number);
      return labels.includes(rehearsalLabels.paused_label) ? true : null;
    });
    return { status: 'passed', text: texts.paused };
  });
  if (!isPaused) return;
  await stage.check('resume', async () => {
    await command(stage, '/resume');
    await stage.until('platform', async () => {
      const state = (await stage.readRun())?.row.state;
      return state !== undefined && state !== 'paused' && state !== 'queued' ? true : null;
    });
    return { status: 'passed', text: texts.resumed };
  });
}

/** Kills the daemon, starts it again, and checks that the same run continues. */
export async function playCrash(stage: Stage): Promise<void> {
  const { child, texts, clock } = stage.parts;
  await stage.check('crash', async () => {
    const before = await stage.readRun();
    if (before?.row.state === 'ended')
      return { status: 'skipped', text: texts.endedEarly(...describeEnd(before)) };
    const lineCount = countSteps(before);
    await child.kill();
    const startedAt = clock.now();
    child.start();
    const { life } = child;
    const isWaiting = before?.row.state === 'in_review';
    await stage.until('model', async () => {
      const isBack = child.lines.some(
        (line) =>
          line.life === life &&
          (line.message === 'resuming run' || line.message === 'recovering interrupted run'),
      );
      const run = await stage.readRun();
      if (isWaiting) return run?.row.state === 'in_review' && countLines(stage, life) > 0 ? true : null;
      if (isBack && countSteps(run) > lineCount) return true;
      if (run?.row.state === 'ended') stage.requireUnfinished(run);
      return null;
    });
    const comments = await stage.listStatusComments();
    if (comments.length !== 1) return { status: 'failed', text: texts.statusComments(comments.length) };
    return { status: 'passed', text: texts.recovered(stage.seconds(startedAt)) };
  });
}

function countSteps(run: RunView | null): number {
  return run === null ? 0 : run.before + run.after + run.timeline.length;
}

function countLines(stage: Stage, life: number): number {
  return stage.parts.child.lines.filter((line) => line.life === life).length;
}

/** Stops the run by a comment while it waits for reviews, or works. */
export async function playStop(stage: Stage): Promise<void> {
  const { texts } = stage.parts;
  await stage.check('stop', async () => {
    const id = await command(stage, '/stop');
    await stage.until('model', async () =>
      (await readCommanded(stage, id)).row.state === 'ended' ? true : null,
    );
    return { status: 'passed', text: texts.stopped };
  });
}

function command(stage: Stage, text: string): Promise<string> {
  return stage.parts.person.comments.post(stage.thread, text);
}

/** Reads the run. @throws Error if it ignored the command of the comment */
async function readCommanded(stage: Stage, id: string): Promise<RunView> {
  const run = await stage.readRun();
  if (run === null) throw new Error(stage.parts.texts.noRecord);
  const isRefused = run.comments.some((one) => one.id === id && one.command?.outcome === 'refused');
  if (isRefused) throw new Error(stage.parts.texts.commandRefused);
  return run;
}
