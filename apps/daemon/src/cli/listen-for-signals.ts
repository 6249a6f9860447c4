import type { EventEmitter } from 'node:events';

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Signals that end a daemon which reads its configuration again at SIGHUP. */
export const endingSignals = ['SIGINT', 'SIGTERM'] as const;

/** Effect of SIGHUP: `auto` is `end` for a daemon that is attached to a terminal, and `reload` for any other. */
export type Hangup = 'auto' | 'reload' | 'end';

/** Requests to read the configuration again. */
export interface ReloadRequests {
  /** Calls it for each request from now on, and at once where one came before; gives back what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly stop: () => void;
}

/** Decides what SIGHUP does. A terminal that hangs up ends who was started there; Windows sends it when a console is closed. */
export function toHangup(
  wanted: Hangup,
  at: { readonly once: boolean; readonly platform: NodeJS.Platform; readonly isTerminal: boolean },
): 'reload' | 'end' {
  if (at.once || at.platform === 'win32') return 'end';
  if (wanted !== 'auto') return wanted;
  return at.isTerminal ? 'end' : 'reload';
}

/** Hears SIGHUP from now on: without a listener it would end the process before there is anybody to hear it. */
export function listenForReload(target: Pick<EventEmitter, 'on' | 'off'>): ReloadRequests {
  let isAsked = false;
  let hear: (() => void) | null = null;
  const listener = (): void => {
    if (hear === null) isAsked = true;
    else hear();
  };
  target.on('SIGHUP', listener);
  return {
    subscribe: (next) => {
      hear = next;
      if (isAsked) next();
      isAsked = false;
      return () => {
        hear = null;
      };
    },
    stop: () => void target.off('SIGHUP', listener),
  };
}

/** Requests to end. */
export interface Shutdown {
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

/** Milliseconds from the first signal until the process exits, whatever is under way then: the next start finishes it. */
const exitAfterMs = 9_500;

/** The first Ctrl-C (or SIGTERM) ends the steps under way and the process within ten seconds; the second ends it at once (RL-12). */
export function listenForShutdown(
  target: SignaledProcess,
  signals: readonly (keyof typeof exitCodes)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): Shutdown {
  const controller = new AbortController();
  let code: number | null = null;
  let deadline: NodeJS.Timeout | undefined;
  const listeners = signals.map((name) => {
    const exitCode = exitCodes[name];
    const listener = (): void => {
      if (code !== null) target.exit(exitCode);
      code = exitCode;
      deadline = setTimeout(() => target.exit(exitCode), exitAfterMs);
      deadline.unref();
      controller.abort(new Error(`received ${name}`));
    };
    target.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    exitCode: () => code,
    stop: () => {
      clearTimeout(deadline);
      for (const { name, listener } of listeners) target.off(name, listener);
    },
  };
}
