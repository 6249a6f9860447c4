import { setTimeout as delay } from 'node:timers/promises';
import { startDaemon } from '../../start-daemon.ts';
import { isForPeople } from '../explain-errors.ts';
import { listenForShutdown } from '../listen-for-shutdown.ts';

/** What the command line says. */
export interface RunFlags {
  readonly config: string;
  readonly once: boolean;
  readonly live: boolean;
  readonly logFormat: 'auto' | 'pretty' | 'json';
}

/**
 * `agent-daemon run`.
 *
 * @returns the exit code: 0, 1 when something could not be started or asked, 130 or 143 after a signal
 */
export async function runCommand(flags: RunFlags): Promise<number> {
  const shutdown = listenForShutdown(process);
  try {
    const looked = await startDaemon({
      configFile: flags.config,
      environment: process.env,
      logFormat: flags.logFormat,
      output: process.stdout,
      once: flags.once,
      live: flags.live,
      shutdown: shutdown.signal,
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
  }
}
