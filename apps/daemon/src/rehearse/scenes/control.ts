import type { RunView } from '@agent/orchestrator/watch';
import { rehearsalLabels } from '../rehearsal-config.ts';
import type { Stage } from '../stage.ts';

/** Pauses and resumes the run by comments. */
export async function playPause(stage: Stage): Promise<void> {
  const { agent, texts } = stage.parts;
  const isPaused = await stage.check('pause', async () => {
    const id = await command(stage, '/pause');
    await stage.until('model', async () => {
      const run = await readCommanded(stage, id);
      if (run.row.state === 'in_review' || run.row.state === 'ended') throw new Error(texts.tooFast);
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
      return isBack && countSteps(run) > lineCount ? true : null;
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
