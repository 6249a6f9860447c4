import { setTimeout as delay } from 'node:timers/promises';
import { processLocale } from '@agent/text/locale';
import type { JobSettings } from '../../job/work-in-time.ts';
import { endWhateverIsOpen, isForPeople } from '../command-io.ts';
import { listenForShutdown } from '../listen-for-signals.ts';

/** Exit code of a job whose record another job has taken, as for `run`. */
const lostCode = 75;

/**
 * `agent-daemon job`.
 *
 * @returns the exit code: 0, 1 when something could not be done or is not supported, 75 when another job has taken the record, 129, 130 or 143 after a signal
 */
export async function jobCommand(flags: JobSettings): Promise<number> {
  const shutdown = listenForShutdown(process);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const warn = (line: string) => void process.stderr.write(`agent-daemon: ${line}\n`);
  try {
    const { runJob } = await import('../../job/run-job.ts');
    const isGood = await runJob(flags, {
      environment: process.env,
      texts: await loadJobTexts(),
      fetch: globalThis.fetch,
      print,
      output: process.stdout,
      shutdown: shutdown.signal,
      onLeft: (reasons) => reasons.forEach(warn),
      onLost: ({ message }) => {
        warn(message);
        process.exit(lostCode);
      },
      now: Date.now,
      sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }).catch(() => {}),
    });
    return shutdown.exitCode() ?? (isGood ? 0 : 1);
  } catch (error) {
    if (shutdown.signal.aborted) return shutdown.exitCode() ?? 1;
    if (!isForPeople(error)) throw error;
    warn(error.message);
    return 1;
  } finally {
    shutdown.stop();
    endWhateverIsOpen(process);
  }
}

async function loadJobTexts() {
  return processLocale(process.env) === 'ja'
    ? (await import('../../job/texts.ja.ts')).ja
    : (await import('../../job/texts.en.ts')).en;
}
