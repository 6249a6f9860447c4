import { type DaemonProcess, type DaemonProcessOptions, startDaemonProcess } from './daemon-process.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** A world whose daemons may be frozen or at work when a test ends: each has a process of its own. */
export interface DaemonsOfWorld {
  readonly open: (options: WorldOptions) => Promise<World>;
  readonly start: (configFile: string, options?: DaemonProcessOptions) => DaemonProcess;
  /** Kills the daemons, and then ends the world; does nothing the second time. */
  readonly close: () => Promise<void>;
}

/** Keeps one world at a time, and every daemon that is started there. */
export function createDaemonsOfWorld(): DaemonsOfWorld {
  let world: World | null = null;
  const daemons: DaemonProcess[] = [];
  return {
    open: async (options) => {
      world = await startWorld(options);
      return world;
    },
    start: (configFile, options) => {
      const daemon = startDaemonProcess(configFile, { ...options, alone: true });
      daemons.push(daemon);
      return daemon;
    },
    close: async () => {
      for (const { child, exited } of daemons.splice(0)) {
        child.kill('SIGKILL');
        await exited;
      }
      await world?.close();
      world = null;
    },
  };
}
