import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { WorkRole } from '@agent/orchestrator';
import { isForPeople } from '../command-io.ts';
import { type Hangup, listenForReload, toHangup } from '../listen-for-reload.ts';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Signals that end a daemon which reads its configuration again at SIGHUP. */
const endingSignals = ['SIGINT', 'SIGTERM'] as const;

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
  }
}

interface Shutdown {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** 128 plus the number of the signal that came; null before one. */
  readonly exitCode: () => number | null;
  readonly stop: () => void;
}

/** The process, as far as this needs it. */
interface SignaledProcess extends Pick<EventEmitter, 'on' | 'off'> {
  exit(code: number): void;
}

/** The first Ctrl-C (or SIGTERM) asks the runs to end after their step; the second ends the process at once (RL-12). */
export function listenForShutdown(
  target: SignaledProcess,
  signals: readonly (keyof typeof exitCodes)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): Shutdown {
  const controller = new AbortController();
  let code: number | null = null;
  const listeners = signals.map((name) => {
    const exitCode = exitCodes[name];
    const listener = (): void => {
      if (code !== null) target.exit(exitCode);
      code = exitCode;
      controller.abort(new Error(`received ${name}`));
    };
    target.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    exitCode: () => code,
    stop: () => {
      for (const { name, listener } of listeners) target.off(name, listener);
    },
  };
}
