/** Ctrl-C and its kin: remembered, and passed on to whoever is at work. */
export interface Interruption {
  /** The first signal that came; null as long as none has. */
  readonly signal: () => NodeJS.Signals | null;
  /** From now on signals go here (null: nowhere). One that came before goes there at once. */
  readonly passTo: (target: ((name: NodeJS.Signals) => void) | null) => void;
}

export function listenForInterruption(source: NodeJS.EventEmitter = process): Interruption {
  let first: NodeJS.Signals | null = null;
  let current: ((name: NodeJS.Signals) => void) | null = null;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    source.on(name, () => {
      first ??= name;
      current?.(name);
    });
  }
  return {
    signal: () => first,
    passTo: (target) => {
      current = target;
      if (first !== null) target?.(first);
    },
  };
}
