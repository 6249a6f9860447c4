import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DaemonExit,
  type DaemonProcess,
  quickWaits,
  startDaemonProcess,
} from '../support/daemon-process.ts';
import type { World } from '../support/world.ts';
import type { Pause } from './interruption.ts';
import { createRequestWatch, type EndOfLife, startKillingProxy } from './killing-proxy.ts';
import type { Moment } from './moment.ts';
import { createPauses } from './pauses.ts';
import { createPreparationWatch, type PreparationWatch } from './preparation.ts';
import { openScenario, type Scenario } from './scenarios.ts';
import type { Talk } from './talk.ts';

/** How one process of the daemon went. */
export interface Life {
  readonly exit: DaemonExit;
  /** At what it got its signal; null when it ended before. */
  readonly killedAt: string | null;
  /** At what it was told to pause; null when it was not, or ended before. */
  readonly pausedAt: string | null;
  /** Whether it had to be ended because it took too long. */
  readonly hung: boolean;
  readonly diskWrites: number;
  readonly requests: number;
  readonly durationMs: number;
}

export interface LifeOptions {
  /** Default SIGKILL. */
  readonly signal?: 'SIGKILL' | 'SIGTERM';
  /** Asks for a pause first; the moment of the signal is then counted from there. */
  readonly pause?: Pick<Pause, 'what' | 'moment'>;
}

/** A scenario with a daemon that can be started again and again. */
export interface Stage {
  readonly world: World;
  /** Null where nobody talks. */
  readonly talk: Talk | null;
  /** Null where the run begins at once. */
  readonly preparation: PreparationWatch | null;
  readonly proxyUrl: string;
  /** Starts the daemon and leaves it to the caller. */
  readonly start: () => DaemonProcess;
  /** Starts the daemon and waits for its end, by itself or after a signal at the moment. */
  readonly live: (moment: Moment | null, options?: LifeOptions) => Promise<Life>;
  /** Takes back every pause. */
  readonly resume: () => Promise<void>;
  /** Whether a run has begun and not ended. */
  readonly isUnfinished: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** No life of the daemon takes longer, however loaded the machine is. */
const longestLifeMs = 180_000;
const preload = new URL('./disk-preload.ts', import.meta.url).href;

export async function openStage(
  scenario: Scenario,
  files: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const { world, talk } = await openScenario(scenario, files);
  const preparation = scenario.ready === true ? createPreparationWatch(world) : null;
  const watch = createRequestWatch();
  const forge = await startKillingProxy(world.forge.url, watch);
  const model = await startKillingProxy(new URL(world.model.baseUrl).origin, watch);
  const config = await readFile(world.configFile, 'utf8');
  const moved = config
    .replaceAll(world.forge.url, forge.url)
    .replaceAll(new URL(world.model.baseUrl).origin, model.url);
  await writeFile(world.configFile, moved);
  const at = (name: string): string => join(world.directory, name);
  await mkdir(at('tmp'));
  const pauses = createPauses(at('contexts'));

  function start(
    nodeArguments: readonly string[] = [],
    environment: Record<string, string> = {},
  ): DaemonProcess {
    return startDaemonProcess(world.configFile, {
      // A barrier waits out the second between two looks.
      nodeArguments: talk === null ? nodeArguments : [...nodeArguments, ...quickWaits],
      environment: { ...environment, TMPDIR: at('tmp') },
      alone: true,
    });
  }

  async function live(moment: Moment | null, options: LifeOptions = {}): Promise<Life> {
    const { signal = 'SIGKILL', pause = null } = options;
    const files = { killedFile: at('killed.txt'), countFile: at('count.txt') };
    const armedBy = pause === null ? null : at('armed.txt');
    await Promise.all(Object.values(files).map((file) => writeFile(file, '')));
    await rm(at('armed.txt'), { force: true });
    const disk = moment?.kind === 'disk' ? moment : null;
    const roots = { contexts: at('contexts'), root: at('workspaces') };
    const plan = { ...files, ...roots, moment: disk, signal, armedBy };
    const startedAt = Date.now();
    const daemon = start(['--import', preload], { KILL_PLAN: JSON.stringify(plan) });
    const happened = { killedAt: null as string | null, pausedAt: null as string | null };
    const timers = [setTimeout(() => daemon.child.kill('SIGKILL'), longestLifeMs)];
    const arm = (next: Moment | null, end: EndOfLife): void => {
      watch.arm(next?.kind === 'request' ? next : null, end);
      if (next?.kind === 'time') timers.push(setTimeout(() => void end.act('its time'), next.afterMs));
    };
    const kill = async (label: string): Promise<void> => {
      if (!daemon.child.kill(signal)) return;
      happened.killedAt = label;
      if (signal === 'SIGKILL') await daemon.exited;
    };
    const armKill = (): void => arm(moment, { act: kill, survives: signal !== 'SIGKILL' });
    const askForPause = async (label: string): Promise<void> => {
      if (pause === null || daemon.child.exitCode !== null) return;
      happened.pausedAt = label;
      await pauses.ask(pause.what);
      await writeFile(at('armed.txt'), '');
      armKill();
    };
    if (pause === null) armKill();
    else arm(pause.moment, { act: askForPause, survives: true });
    const exit = await daemon.exited;
    for (const timer of timers) clearTimeout(timer);
    const requests = watch.count();
    watch.arm(null, { act: kill, survives: true });
    await preparation?.remember();
    return {
      ...happened,
      exit,
      hung: happened.killedAt === null && Date.now() - startedAt >= longestLifeMs,
      killedAt: (await readFile(files.killedFile, 'utf8')).trim() || happened.killedAt,
      diskWrites: Number(await readFile(files.countFile, 'utf8')),
      requests,
      durationMs: Date.now() - startedAt,
    };
  }

  return {
    world,
    talk,
    preparation,
    proxyUrl: forge.url,
    start: () => start(),
    live,
    resume: pauses.takeBack,
    isUnfinished: pauses.isUnfinished,
    close: async () => {
      await Promise.all([forge.close(), model.close()]);
      await world.close();
    },
  };
}
