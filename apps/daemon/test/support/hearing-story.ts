import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFirstChange } from '../kill/talk.ts';
import { type DaemonProcess, quickWaits, startDaemonProcess } from './daemon-process.ts';
import type { ForgeThread } from './forge.ts';
import { type Color, hearingScript, waitProgram } from './hearing-script.ts';
import { listTurns } from './model-requests.ts';
import type { ThreadStage } from './thread-stages.ts';
import { until } from './until.ts';
import { projectFiles, startWorld, type World } from './world.ts';

export interface HearingStory {
  /** The bodies of all requests to the model, as text, oldest first. */
  readonly requests: readonly string[];
  /** The thread in the end. */
  readonly thread: ForgeThread;
  /** What the two processes printed. */
  readonly outputs: readonly string[];
}

/** Longer than a second on the clock of a daemon that waits a hundred times shorter: every checkpoint may look. */
const thinkingMs = 20;

/**
 * One run of a daemon that is paused once and killed once, while people comment at every kind of moment. The model
 * is asked nine times: the fourth ends in the pause, the fifth in the kill, from the seventh on it answers.
 */
export async function tellHearingStory(stage: ThreadStage): Promise<HearingStory> {
  const { promise: isHanging, resolve: hang } = Promise.withResolvers<void>();
  const ids = new Map<Color, string>();
  const changes = { asked: 0, hasWritten: false, hasPushed: false };
  const say = (color: Color, author = 'alice'): void => {
    ids.set(color, world.forge.comment(thread.reference, { author, body: `Paint it ${color}.` }));
  };
  const idOf = (color: Color): string => ids.get(color) ?? '';
  const moments: Readonly<Record<number, () => unknown>> = {
    1: () => {
      say('ORCHID');
      say('TEAL');
      say('OLIVE');
    },
    2: () => void sayDuringTool(world, () => say('AMBER')),
    3: () => {
      say('INDIGO');
      world.forge.editComment(idOf('TEAL'), 'Paint it CYAN.');
      say('SILVER');
      world.forge.deleteComment(idOf('SILVER'));
    },
    4: () => world.runs.pauseAll(),
    5: () => {
      world.model.misbehave({ kind: 'hang' });
      hang();
    },
    7: () => say('COPPER'),
    9: () => say('PEWTER', 'bob'),
  };
  const world: World = await startWorld({
    script: hearingScript,
    api: stage.api,
    forges: [stage.forge],
    files: { ...projectFiles, 'wait.js': waitProgram },
    config: { comment_detection: { enabled: true }, poll_interval_seconds: 10 },
    onModelRequest: async () => {
      changes.asked += 1;
      await moments[changes.asked]?.();
      await delay(thinkingMs);
    },
    onForgeRequest: (label) => {
      // The first thing that a run changes stands on its issue, when it has read the thread and not asked the model yet.
      const isWriting = isFirstChange.test(label);
      if (!changes.hasWritten && isWriting) say('CRIMSON');
      changes.hasWritten ||= isWriting;
      if (!changes.hasPushed && /^POST .*git-receive-pack/.test(label)) say('LAVENDER');
      changes.hasPushed ||= /^POST .*git-receive-pack/.test(label);
    },
  });
  const thread = await stage.open(world.forge);
  try {
    const first = startDaemonProcess(world.configFile, { nodeArguments: quickWaits, flags: [] });
    const paused = until('the run is paused', async () => (await world.runs.list('paused')).length > 0);
    await Promise.race([paused, failWhenEnded(first)]);
    say('VIOLET');
    world.forge.deleteComment(idOf('OLIVE'));
    await world.runs.resumeAll();
    await Promise.race([isHanging, failWhenEnded(first)]);
    first.child.kill('SIGKILL');
    await first.exited;
    say('MAROON');
    const second = await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
    return {
      requests: readRequests(world),
      thread: world.forge.thread(thread.reference),
      outputs: [first.output(), second.output],
    };
  } finally {
    await world.close();
  }
}

async function failWhenEnded({ exited }: DaemonProcess): Promise<never> {
  throw new Error(`the daemon ended too early:\n${(await exited).output}`);
}

/** Speaks while the command of the model is at work, and then lets it end. */
async function sayDuringTool({ directory }: World, say: () => void): Promise<void> {
  const worktrees = join(directory, 'workspaces', 'worktrees');
  let worktree = '';
  await until('the command is at work', async () => {
    for (const name of await readdir(worktrees)) {
      worktree = join(worktrees, name);
      if ((await readdir(worktree)).includes('started.txt')) return true;
    }
    return false;
  });
  say();
  await writeFile(join(worktree, 'go.txt'), '');
}

function readRequests({ model }: World): readonly string[] {
  return listTurns(model);
}
