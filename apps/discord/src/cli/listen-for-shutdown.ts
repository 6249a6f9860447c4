import type { EventEmitter } from 'node:events';

export interface Shutdown {
  /** Resolves with the exit code when the first signal comes: 128 and the number of the signal. */
  readonly asked: Promise<number>;
  readonly stop: () => void;
}

/** The process, as far as this needs it. */
export interface SignalledProcess extends Pick<EventEmitter, 'on' | 'off'> {
  exit(code: number): void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The first signal asks to stop, the second ends the process at once. */
export function listenForShutdown(target: SignalledProcess): Shutdown {
  const { promise: asked, resolve } = Promise.withResolvers<number>();
  let isAsked = false;
  const listeners = Object.entries(exitCodes).map(([name, code]) => {
    const listener = (): void => {
      if (isAsked) target.exit(code);
      isAsked = true;
      resolve(code);
    };
    target.on(name, listener);
    return () => void target.off(name, listener);
  });
  return {
    asked,
    stop: () => {
      for (const stop of listeners) stop();
    },
  };
}
