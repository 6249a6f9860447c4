import type { RunView } from '@agent/orchestrator/watch';
import type { OpenedIssue } from '../person.ts';
import { openLabel, rehearsalLabels } from '../rehearsal-config.ts';
import { describeEnd, type RehearsalContext } from '../rehearsal-context.ts';

/** Creates the labels, and makes sure that no other rehearsal is open. @returns false if one is */
export async function prepareRepository(context: RehearsalContext): Promise<boolean> {
  const { agent, texts, created } = context.parts;
  const isAlone = await context.check('single', async () => {
    const [other] = await agent.issues.listOpen(openLabel);
    return other === undefined
      ? { status: 'passed', text: texts.alone }
      : { status: 'failed', text: texts.otherOpen(other.url) };
  });
  if (!isAlone) return false;
  return context.check('labels', async () => {
    // All of them, so that the clean-up knows which ones were in the repository before.
    for (const label of [openLabel, ...Object.values(rehearsalLabels)]) {
      created.requestedLabel = label;
      const isNew = await agent.probe.createLabel(label);
      // A rehearsal that was killed has left its labels.
      if (isNew || (await agent.removeCreated.isOwnLabel(label))) created.labels.push(label);
      created.requestedLabel = null;
    }
    return { status: 'passed', text: texts.labelsCreated };
  });
}

/** Opens the issue, starts the daemon, and waits until it works. @returns false if it does not */
export async function begin(context: RehearsalContext): Promise<boolean> {
  const { agent, agentLogin, person, child, texts, created, clock } = context.parts;
  return context.check('start', async () => {
    const label = rehearsalLabels.bot_label;
    const body = `${texts.issue.body}\n\n<!-- agent-rehearsal: ${created.id} -->`;
    const onOpened = (issue: OpenedIssue) => {
      created.issue = issue;
    };
    created.isIssueRequested = true;
    onOpened(await person.openIssue({ id: created.id, title: texts.issue.title, body, label, onOpened }));
    await agent.issues.addLabel(context.thread.number, openLabel);
    const others = (await agent.issues.listOpen(openLabel)).filter(({ url }) => url !== created.issue?.url);
    if (others[0] !== undefined) {
      // The other rehearsal uses the labels, and removes them.
      created.labels.length = 0;
      return { status: 'failed', text: texts.otherOpen(others[0].url) };
    }
    const startedAt = clock.now();
    child.start();
    await context.until('start', async () => {
      const refusal = child.lines.find(({ message }) => message.startsWith('refused task'));
      if (refusal !== undefined)
        throw new Error(texts.taskRefused(String(refusal.fields.reason ?? refusal.message)));
      const { labels } = await agent.issues.read(context.thread.number);
      const comments = await context.listStatusComments();
      const isClaimed = comments.some(({ author }) => author === agentLogin);
      return isClaimed && labels.includes(rehearsalLabels.processing_label) ? true : null;
    });
    return { status: 'passed', text: texts.started(context.seconds(startedAt)) };
  });
}

/** Pauses and resumes the run by comments. */
export async function checkPause(context: RehearsalContext): Promise<void> {
  const { agent, texts } = context.parts;
  const isPaused = await context.check('pause', async () => {
    const id = await command(context, '/pause');
    await context.until('model', async () => {
      const run = await readCommanded(context, id);
      context.requireUnfinished(run);
      return run.row.state === 'paused' ? true : null;
    });
    await context.until('platform', async () => {
      const { labels } = await agent.issues.read(context.thread.number);
      return labels.includes(rehearsalLabels.paused_label) ? true : null;
    });
    return { status: 'passed', text: texts.paused };
  });
  if (!isPaused) return;
  await context.check('resume', async () => {
    await command(context, '/resume');
    await context.until('platform', async () => {
      const state = (await context.readRun())?.row.state;
      return state !== undefined && state !== 'paused' && state !== 'queued' ? true : null;
    });
    return { status: 'passed', text: texts.resumed };
  });
}

/** Kills the daemon, starts it again, and checks that the same run continues. */
export async function checkCrash(context: RehearsalContext): Promise<void> {
  const { child, texts, clock } = context.parts;
  await context.check('crash', async () => {
    const before = await context.readRun();
    if (before?.row.state === 'ended')
      return { status: 'skipped', text: texts.endedEarly(...describeEnd(before)) };
    const lineCount = countSteps(before);
    await child.kill();
    const startedAt = clock.now();
    child.start();
    const { life } = child;
    const isWaiting = before?.row.state === 'in_review';
    await context.until('model', async () => {
      const isBack = child.lines.some(
        (line) =>
          line.life === life &&
          (line.message === 'resuming run' || line.message === 'recovering interrupted run'),
      );
      const run = await context.readRun();
      if (isWaiting) return run?.row.state === 'in_review' && countLines(context, life) > 0 ? true : null;
      if (isBack && countSteps(run) > lineCount) return true;
      if (run?.row.state === 'ended') context.requireUnfinished(run);
      return null;
    });
    const comments = await context.listStatusComments();
    if (comments.length !== 1) return { status: 'failed', text: texts.statusComments(comments.length) };
    return { status: 'passed', text: texts.recovered(context.seconds(startedAt)) };
  });
}

function countSteps(run: RunView | null): number {
  return run === null ? 0 : run.before + run.after + run.timeline.length;
}

function countLines(context: RehearsalContext, life: number): number {
  return context.parts.child.lines.filter((line) => line.life === life).length;
}

/** Stops the run by a comment in the middle of a step. */
export async function checkStop(context: RehearsalContext): Promise<void> {
  const { texts, clock, child, waitLimits } = context.parts;
  const countInterruptions = () =>
    child.lines.filter(({ message }) => message === 'interrupting current step').length;
  await context.check('stop', async () => {
    const run = await context.readRun();
    if (run?.row.state === 'ended') return { status: 'skipped', text: texts.endedEarly(...describeEnd(run)) };
    if (run?.row.state === 'in_review') await beginLongStep(context);
    const before = countInterruptions();
    const id = await command(context, '/stop');
    const postedAt = clock.now();
    await context.until('model', async () =>
      (await readCommanded(context, id)).row.state === 'ended' ? true : null,
    );
    const seconds = context.seconds(postedAt);
    if (clock.now() - postedAt > waitLimits.stopMs)
      return { status: 'failed', text: texts.stoppedLate(seconds) };
    const text = countInterruptions() > before ? texts.stoppedInStep(seconds) : texts.stopped(seconds);
    return { status: 'passed', text };
  });
}

/** Asks a run that waits for reviews for further work, and waits until the model works on it. */
async function beginLongStep(context: RehearsalContext): Promise<void> {
  const id = await command(context, context.parts.texts.longWorkComment);
  await context.until('model', async () => {
    const run = await context.readRun();
    return run?.comments.some((one) => one.id === id && one.deliveredAt !== null) ? true : null;
  });
}

function command(context: RehearsalContext, text: string): Promise<string> {
  return context.parts.person.comments.post(context.thread, text);
}

/** Reads the run. @throws Error if it ignored the command of the comment */
async function readCommanded(context: RehearsalContext, id: string): Promise<RunView> {
  const run = await context.readRun();
  if (run === null) throw new Error(context.parts.texts.noRecord);
  const isRefused = run.comments.some((one) => one.id === id && one.command?.outcome === 'refused');
  if (isRefused) throw new Error(context.parts.texts.commandRefused);
  return run;
}
