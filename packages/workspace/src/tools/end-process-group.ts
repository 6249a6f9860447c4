/** How long a group has to end by itself after SIGTERM, in milliseconds. */
const graceMs = 2000;

/**
 * Ends a process group: SIGTERM at once, SIGKILL after two seconds for whatever is left of it. Safe to call for a
 * group that is gone.
 *
 * @param pid the group's leader, as `spawn` with `detached: true` made it; undefined when nothing was started
 */
export function endProcessGroup(pid: number | undefined): void {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return;
  setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs).unref();
}

/** Sends a signal to every process of the group; false when no such group exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // ESRCH: the whole group has ended. EPERM: its number is another user's by now.
    return false;
  }
}
