import { startDaemonProcess } from './daemon-process.ts';
import { answerScript } from './fix-script.ts';
import type { ForgeName } from './forge.ts';
import { need, onlyPrePlanning, withPreparation } from './pre-planning-script.ts';
import { createPreparationSights, type PreparationSights } from './preparation-sights.ts';
import { type KeptState, readState } from './preparation-state.ts';
import { startWorld, type World } from './world.ts';

/** A run that gets ready with one file, two that are not there, one that is never assumed, and nine searches. */
export interface PreparationStory {
  readonly world: World;
  readonly sights: PreparationSights;
  /** Starts the daemon; resolves when the run is held there. */
  readonly liveUntil: (names: RegExp) => Promise<HeldLife>;
  /** Starts the daemon and lets it end. */
  readonly liveOn: (expectedExitCode?: number) => Promise<void>;
  /** From the directory where the run is. */
  readonly readState: () => Promise<KeptState>;
  readonly close: () => Promise<void>;
}

/** A daemon whose run is held. */
export interface HeldLife {
  readonly kill: () => Promise<void>;
  /** Lets go, once the pause is asked for, and takes that back when the daemon has ended. */
  readonly pause: () => Promise<void>;
  /** Ends it in order, without letting go. */
  readonly shutDown: () => Promise<void>;
}

/** What is searched for: more than fit beside the rest at the same time, so that the last waits for its turn. */
export const searched: readonly string[] = [
  'apples',
  'pears',
  'plums',
  'figs',
  'nuts',
  'dates',
  'limes',
  'kiwis',
  'grapes',
];

const needs = [
  need('total', 'read_file', { description: 'The code that sums up' }),
  need('rounding', 'read_file', { description: 'How sums are rounded' }),
  need('currency', 'read_file', { description: 'Which currency it is' }),
  need('login', 'read_file', { description: 'The password of the shop account' }),
  ...searched.map((query) =>
    need(query, 'search_threads', { description: `Who else asks for ${query}`, parameters: { query } }),
  ),
];

export async function startPreparationStory(
  forge: ForgeName,
  api: 'responses' | 'chat',
): Promise<PreparationStory> {
  const sights = createPreparationSights(() => world.forge);
  const { onModelRequest, onForgeRequest } = sights;
  const config = {
    report: { style: 'seed' },
    planning: onlyPrePlanning({ notification: { notify_on_assumption: true } }),
  };
  const script = withPreparation(answerScript, needs);
  const world = await startWorld({
    script,
    forges: [forge],
    api,
    config,
    onModelRequest,
    onForgeRequest,
  });
  const body = `It forgets the quantity of ${searched.join(', ')}.`;
  world.forge.openIssue({ title: 'The total is wrong', body, labels: ['coding agent'] });
  return {
    world,
    sights,
    liveUntil: (names) => liveUntil(names, { world, sights }),
    liveOn: async (expected = 0) => {
      const { code, output } = await startDaemonProcess(world.configFile).exited;
      if (code !== expected) throw new Error(`the daemon ended with ${code}:\n${output}`);
    },
    readState: () => readState(world),
    close: () => {
      sights.letGo();
      return world.close();
    },
  };
}

async function liveUntil(
  names: RegExp,
  { world, sights }: Pick<PreparationStory, 'world' | 'sights'>,
): Promise<HeldLife> {
  const held = sights.hold(names);
  const { child, exited } = startDaemonProcess(world.configFile);
  const tooEarly = exited.then(({ output }) => {
    throw new Error(`the daemon ended before ${names}:\n${output}`);
  });
  tooEarly.catch(() => undefined);
  await Promise.race([held, tooEarly]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      sights.note('KILL');
      sights.letGo();
    },
    pause: async () => {
      await world.runs.pauseAll();
      sights.letGo();
      await exited;
      sights.note('PAUSE');
      await world.runs.resumeAll();
    },
    shutDown: async () => {
      child.kill('SIGTERM');
      await exited;
      sights.note('SHUTDOWN');
      sights.letGo();
    },
  };
}
