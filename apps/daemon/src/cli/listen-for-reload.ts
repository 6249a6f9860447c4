import type { EventEmitter } from 'node:events';

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
