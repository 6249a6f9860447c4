import type { EventEmitter } from 'node:events';

export interface Shutdown {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** 128 plus the number of the signal that came; null before one. */
  readonly exitCode: () => number | null;
  readonly stop: () => void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The process, as far as this needs it. */
export interface SignalledProcess extends Pick<EventEmitter, 'on' | 'off'> {
  exit(code: number): void;
}

/** The first Ctrl-C (or SIGTERM) asks the runs to end after their step; the second ends the process at once (RL-12). */
export function listenForShutdown(target: SignalledProcess): Shutdown {
  const controller = new AbortController();
  let code: number | null = null;
  const listeners = Object.entries(exitCodes).map(([name, exitCode]) => {
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
