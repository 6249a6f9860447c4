import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { WorkRole } from '@agent/orchestrator';
import { endWhateverIsOpen, isForPeople } from '../command-io.ts';
import {
  endingSignals,
  type Hangup,
  listenForReload,
  listenForShutdown,
  toHangup,
} from '../listen-for-signals.ts';

/** Exit code of a daemon whose directory another process has taken: of `sysexits.h`, to be tried again. */
const lostCode = 75;

/** Options and arguments of the command line. */
export interface RunFlags {
  readonly config: string;
  readonly once: boolean;
  readonly role: WorkRole;
  readonly live: boolean;
  readonly hangup: Hangup;
  readonly logFormat: 'auto' | 'pretty' | 'json';
}

/**
 * `agent-daemon run`.
 *
 * @returns the exit code: 0, 1 when something could not be started or asked, 75 when another process has taken the directory, 129, 130 or 143 after a signal
 */
export async function runCommand(flags: RunFlags): Promise<number> {
  const hangup = toHangup(flags.hangup, {
    once: flags.once,
    platform: process.platform,
    isTerminal: [0, 1, 2].some((stream) => isatty(stream)),
  });
  const reloads = hangup === 'reload' ? listenForReload(process) : null;
  const shutdown = listenForShutdown(process, reloads === null ? undefined : endingSignals);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', letTerminalGo);
  try {
    const { startDaemon } = await import('../../start-daemon.ts');
    const looked = await startDaemon({
      configFile: flags.config,
      environment: process.env,
      logFormat: flags.logFormat,
      output: process.stdout,
      once: flags.once,
      role: flags.role,
      live: flags.live,
      shutdown: shutdown.signal,
      onReload: reloads?.subscribe,
      onLeft: (reasons) => {
        for (const reason of reasons) process.stderr.write(`agent-daemon: ${reason}\n`);
      },
      onLost: ({ message }) => {
        process.stderr.write(`agent-daemon: ${message}\n`);
        process.exit(lostCode);
      },
      now: Date.now,
      sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }).catch(() => {}),
    });
    return shutdown.exitCode() ?? (looked ? 0 : 1);
  } catch (error) {
    if (shutdown.signal.aborted) return shutdown.exitCode() ?? 1;
    if (!isForPeople(error)) throw error;
    process.stderr.write(`agent-daemon: ${error.message}\n`);
    return 1;
  } finally {
    shutdown.stop();
    reloads?.stop();
    for (const stream of [process.stdout, process.stderr]) stream.off('error', letTerminalGo);
    endWhateverIsOpen(process);
  }
}

/** A terminal that was closed takes no line any more: SIGHUP, which comes with that, says what follows. */
function letTerminalGo(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') throw error;
}
