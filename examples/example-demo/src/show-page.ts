import type { Printer } from './printer.ts';
import { type RunDaemonOptions, runDaemon } from './run-daemon.ts';
import { type AppProcess, spawnApp } from './spawn-app.ts';

/** A daemon with its page, which stays after its run until somebody ends it. */
export interface DaemonWithPage {
  readonly daemon: AppProcess;
  /** Resolves when the run has ended, or the daemon has. */
  readonly finished: Promise<void>;
  /** Address of the page; null where the daemon has said none. */
  readonly address: () => string | null;
  /** Logs in to the page. */
  readonly token: string;
}

/** Starts the daemon for good, and says where its page is and how to log in. */
export async function startWithPage(
  { onLine, ...options }: RunDaemonOptions,
  { printer }: { readonly printer: Printer },
): Promise<DaemonWithPage> {
  const token = await makeToken(options);
  let address: string | null = null;
  const finished = Promise.withResolvers<void>();
  const hear = (line: string): void => {
    onLine(line);
    const served = /serving web UI\b.* url=(http:\S+)/.exec(line)?.[1];
    if (served !== undefined && address === null) {
      address = served;
      printer.block(`\nIts page: ${served}/\nTo log in there: ${token}\n`);
    }
    if (/\bfinished task\b/.test(line)) finished.resolve();
  };
  const daemon = runDaemon({ ...options, onLine: hear, once: false });
  void daemon.ended.then(() => finished.resolve());
  return { daemon, finished: finished.promise, address: () => address, token };
}

/** `agent-daemon token`: prints the token alone on its standard output, and what it is for beside. */
async function makeToken({
  configPath,
  environment,
}: Pick<RunDaemonOptions, 'configPath' | 'environment'>): Promise<string> {
  const lines: string[] = [];
  const flags = ['token', 'demo', '--days', '1', '--config', configPath];
  const entry = 'apps/daemon/src/main.ts';
  await spawnApp({ entry, flags, environment, onLine: (line) => void lines.push(line) }).ended;
  return lines.find((line) => /^[\w-]{43}$/.test(line)) ?? lines.join(' ');
}
