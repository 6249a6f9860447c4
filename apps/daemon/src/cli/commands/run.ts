import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { IdleThread, WorkRole } from '@agent/orchestrator';
import { processLocale } from '@agent/text/locale';
import { endWhateverIsOpen, isForPeople, loadTexts } from '../command-io.ts';
import {
  endingSignals,
  type Hangup,
  listenForReload,
  listenForShutdown,
  toHangup,
} from '../listen-for-signals.ts';

/** Exit code of a daemon whose directory another process has taken: of `sysexits.h`, to be tried again. */
const lostCode = 75;

/** Exit code of a process with `--thread` that found nothing to do there. */
const idleCode = 3;

/** Options and arguments of the command line. */
export interface RunFlags {
  readonly config: string;
  readonly once: boolean;
  /** The one issue, pull request or merge request to run; implies `once`. Default all that wait. */
  readonly thread?: string | undefined;
  /** True to print what would be written on the platforms instead of writing it. Default false. */
  readonly observe?: boolean | undefined;
  readonly role: WorkRole;
  readonly live: boolean;
  readonly hangup: Hangup;
  readonly logFormat: 'auto' | 'pretty' | 'json';
}

/**
 * `agent-daemon run`.
 *
 * @returns the exit code: 0, 1 when something could not be started or asked, 3 when nothing was to do on the thread, 75 when another process has taken the directory, 129, 130 or 143 after a signal
 */
export async function runCommand(flags: RunFlags): Promise<number> {
  const { thread } = flags;
  const once = flags.once || thread !== undefined;
  if (thread !== undefined && flags.role !== 'both') return refuseRole();
  const idle: IdleThread[] = [];
  const hangup = toHangup(flags.hangup, {
    once,
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
      once,
      thread: thread === undefined ? undefined : { name: thread, onIdle: (one) => idle.push(one) },
      observe: flags.observe,
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
    const signaled = shutdown.exitCode();
    if (signaled !== null || !looked) return signaled ?? 1;
    const [found] = idle;
    return found === undefined ? 0 : await explainIdle(found);
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

/** Prints why nothing was done. @returns the exit code */
async function explainIdle(idle: IdleThread): Promise<number> {
  const { cleanLine } = await import('../../text/terminal-text.ts');
  const texts = await loadTexts(processLocale(process.env));
  process.stderr.write(`agent-daemon: ${cleanLine(texts.idle[idle.reason](idle.name, idle))}\n`);
  return idleCode;
}

/** Prints that `--role` cannot be combined with `--thread`. @returns the exit code */
async function refuseRole(): Promise<number> {
  const texts = await loadTexts(processLocale(process.env));
  process.stderr.write(`agent-daemon: ${texts.threadHasNoRole}\n`);
  return 1;
}

/** A terminal that was closed takes no line any more: SIGHUP, which comes with that, says what follows. */
function letTerminalGo(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') throw error;
}
