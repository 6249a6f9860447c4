import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DaemonExit, type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import type { World } from '../support/world.ts';
import { createRequestWatch, startKillingProxy } from './killing-proxy.ts';
import type { Moment } from './moment.ts';
import { openScenario, type Scenario } from './scenarios.ts';

/** How one process of the daemon went. */
export interface Life {
  readonly exit: DaemonExit;
  /** At what it got its signal; null when it ended before. */
  readonly killedAt: string | null;
  /** Whether it had to be ended because it took too long. */
  readonly hung: boolean;
  readonly diskWrites: number;
  readonly requests: number;
  readonly durationMs: number;
}

/** A scenario with a daemon that can be started again and again. */
export interface Stage {
  readonly world: World;
  readonly proxyUrl: string;
  /** Starts the daemon and leaves it to the caller. */
  readonly start: () => DaemonProcess;
  /** Starts the daemon and waits for its end, by itself or after a signal at the moment. Default SIGKILL. */
  readonly live: (moment: Moment | null, signal?: 'SIGKILL' | 'SIGTERM') => Promise<Life>;
  readonly close: () => Promise<void>;
}

/** No life of the daemon takes longer, however loaded the machine is. */
const longestLifeMs = 60_000;
const preload = new URL('./disk-preload.ts', import.meta.url).href;

export async function openStage(
  scenario: Scenario,
  files: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const world = await openScenario(scenario, files);
  const watch = createRequestWatch();
  const gitHub = await startKillingProxy(world.gitHub.url, watch);
  const model = await startKillingProxy(new URL(world.model.baseUrl).origin, watch);
  const config = await readFile(world.configFile, 'utf8');
  const moved = config
    .replaceAll(world.gitHub.url, gitHub.url)
    .replaceAll(new URL(world.model.baseUrl).origin, model.url);
  await writeFile(world.configFile, moved);
  const temporary = join(world.directory, 'tmp');
  await mkdir(temporary);

  function start(
    nodeArguments: readonly string[] = [],
    environment: Record<string, string> = {},
  ): DaemonProcess {
    // Where the cache is without a TMPDIR; else each world would compile everything anew.
    const cache = join(tmpdir(), 'node-compile-cache');
    return startDaemonProcess(world.configFile, {
      nodeArguments,
      environment: { ...environment, TMPDIR: temporary, NODE_COMPILE_CACHE: cache },
    });
  }

  async function live(moment: Moment | null, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<Life> {
    const files = {
      killedFile: join(world.directory, 'killed.txt'),
      countFile: join(world.directory, 'count.txt'),
    };
    await Promise.all(Object.values(files).map((file) => writeFile(file, '')));
    const plan = {
      ...files,
      moment: moment?.kind === 'disk' ? moment : null,
      signal,
      contexts: join(world.directory, 'contexts'),
      root: join(world.directory, 'workspaces'),
    };
    const startedAt = Date.now();
    const daemon = start(['--import', preload], { KILL_PLAN: JSON.stringify(plan) });
    let killedAt: string | null = null;
    const kill = async (label: string): Promise<void> => {
      if (!daemon.child.kill(signal)) return;
      killedAt = label;
      if (signal === 'SIGKILL') await daemon.exited;
    };
    watch.arm(moment?.kind === 'request' ? moment : null, { kill, survives: signal !== 'SIGKILL' });
    const timers = [setTimeout(() => daemon.child.kill('SIGKILL'), longestLifeMs)];
    if (moment?.kind === 'time') timers.push(setTimeout(() => void kill('its time'), moment.afterMs));
    const exit = await daemon.exited;
    for (const timer of timers) clearTimeout(timer);
    const requests = watch.count();
    watch.arm(null, { kill, survives: true });
    return {
      exit,
      hung: killedAt === null && Date.now() - startedAt >= longestLifeMs,
      killedAt: (await readFile(files.killedFile, 'utf8')).trim() || killedAt,
      diskWrites: Number(await readFile(files.countFile, 'utf8')),
      requests,
      durationMs: Date.now() - startedAt,
    };
  }

  return {
    world,
    proxyUrl: gitHub.url,
    start: () => start(),
    live,
    close: async () => {
      await Promise.all([gitHub.close(), model.close()]);
      await world.close();
    },
  };
}
