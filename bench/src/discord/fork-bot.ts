import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** One bot process at one moment. */
export interface BotFigures {
  /** Processor time since it began, user and system, all threads. */
  readonly cpuMs: number;
  /** As it ran: with whatever it had not collected yet. */
  readonly residentBytes: number;
  /** After a collection: heap and buffers that something still needs. */
  readonly liveBytes: number;
}

export interface BotProcess {
  readonly measure: () => Promise<BotFigures>;
  readonly end: () => Promise<void>;
}

const entry = fileURLToPath(new URL('./bot-process.ts', import.meta.url));

/**
 * Starts the bot from its sources, with these settings and no others, and waits until it is connected.
 *
 * @param nodeArguments further arguments of Node itself
 */
export async function forkBot(
  settings: Readonly<Record<string, string>>,
  nodeArguments: readonly string[] = [],
): Promise<BotProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child = fork(entry, {
    execArgv: ['--conditions=@agent/source', '--expose-gc', ...nodeArguments],
    env: { PATH, HOME, ...settings },
  });
  const ended = once(child, 'exit');
  const hear = async (): Promise<unknown> => {
    const heard = once(child, 'message').then(([message]) => message as unknown);
    const gone = ended.then(([code]) => {
      throw new Error(`The bot ended with ${code}.`);
    });
    return Promise.race([heard, gone]);
  };
  await hear();
  return {
    measure: async () => {
      const figures = hear();
      child.send('measure');
      return (await figures) as BotFigures;
    },
    end: async () => {
      child.disconnect();
      await ended;
    },
  };
}
