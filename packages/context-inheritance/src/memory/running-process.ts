import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import currentProcess from 'node:process';

/** Names a process on any host. */
export interface RunningProcess {
  /** Host name, and on Linux the namespace in which the pid counts. */
  readonly host: string;
  readonly pid: number;
  /** Milliseconds since 1970: tells it from an earlier process with the same pid. */
  readonly startedAt: number;
}

/** Access to the processes of this host. */
export interface ProcessAccess {
  readonly own: RunningProcess;
  /** True unless the system knows that there is no process with this pid. */
  readonly isRunning: (pid: number) => boolean;
}

/** Describes this process. Its start is computed from the clock, so two calls can differ by a few milliseconds. */
export function createProcessAccess(now: () => number = Date.now): ProcessAccess {
  const startedAt = Math.round(now() - currentProcess.uptime() * 1_000);
  return { own: { host: `${hostname()}${readNamespace()}`, pid: currentProcess.pid, startedAt }, isRunning };
}

/** Two containers can share a host name and still have pids of their own. Empty where this is not known. */
function readNamespace(): string {
  try {
    return ` ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

function isRunning(otherPid: number): boolean {
  try {
    currentProcess.kill(otherPid, 0);
    return true;
  } catch (error) {
    // Without permission to ask, only the heartbeat tells.
    return (error as { readonly code?: unknown }).code !== 'ESRCH';
  }
}

/** Interval of heartbeats in milliseconds. */
export const heartbeatMs = 30_000;
/** Milliseconds without a heartbeat after which a process counts as gone that cannot be asked for, such as one of another host. */
const heartbeatExpiryMs = 5 * 60_000;
const clockToleranceMs = 500;

/** The owner of a run, and its last heartbeat in milliseconds since 1970. */
export interface Heartbeat {
  readonly process: RunningProcess;
  readonly beatAt: number;
}

/** Tells whether the process of a run still works on it. */
export function isAlive(
  { process, beatAt }: Heartbeat,
  { own, isRunning: isThere, now }: ProcessAccess & { readonly now: number },
): boolean {
  const isFresh = now - beatAt < heartbeatExpiryMs;
  if (process.host !== own.host) return isFresh;
  if (process.pid === own.pid) return Math.abs(process.startedAt - own.startedAt) < clockToleranceMs;
  return isFresh && isThere(process.pid);
}
