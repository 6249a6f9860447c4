export interface ModelGate {
  /** Holds a model call until the gate is opened. */
  readonly onModelCall: () => Promise<void>;
  /** Resolves when as many calls wait as were expected. */
  readonly full: Promise<void>;
  readonly open: () => void;
}

/** Keeps model calls waiting, so that this many runs stand still at the same point. */
export function createModelGate(expected: number): ModelGate {
  let waiting = 0;
  const full = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    onModelCall: () => {
      waiting += 1;
      if (waiting === expected) full.resolve();
      return opened.promise;
    },
    full: full.promise,
    open: opened.resolve,
  };
}
