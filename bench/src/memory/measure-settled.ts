import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DaemonProcess, type DaemonProcessOptions, startDaemon } from '../daemon-process.ts';
import type { World } from '../world.ts';
import { readMemory } from './read-memory.ts';

const collectOnSignal = fileURLToPath(new URL('./collect-on-signal.mjs', import.meta.url));
/** Long enough for answers on their way to be taken in. */
const settleMs = 1_000;

/** One daemon process at one moment. */
export interface DaemonMemory {
  /** As it ran: with whatever it had not collected yet. */
  readonly residentKb: number;
  /** The part of it that is neither a file's nor shared. */
  readonly anonymousKb: number;
  /** After a collection that it was made to do: heap and buffers that something still needs. */
  readonly liveKb: number;
  /** The part of it that is the program itself, compiled as often as it was needed: it grows with use, and is nobody's. */
  readonly codeKb: number;
}

/** Starts the built daemon so that it can be made to collect its garbage. */
export function startMeasurable(
  world: World,
  options: Pick<DaemonProcessOptions, 'once' | 'environment'>,
): DaemonProcess {
  return startDaemon(world, { ...options, nodeArguments: ['--import', collectOnSignal] });
}

/** Measures a daemon that has come to rest: first as it is, then after a full collection. */
export async function measureSettled(daemon: DaemonProcess): Promise<DaemonMemory> {
  await wait(settleMs);
  const { residentKb, anonymousKb } = await readMemory(daemon.processId);
  process.kill(daemon.processId, 'SIGUSR2');
  const { heapBytes, codeBytes } = await daemon.whileRunning(daemon.log.find('collected'));
  return {
    ...{ residentKb, anonymousKb },
    liveKb: Number(heapBytes) / 1024,
    codeKb: Number(codeBytes) / 1024,
  };
}
