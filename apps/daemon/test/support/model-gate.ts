/** Holds each question to the model until it is let through, so that a test can act between two moments of a run. */
export interface ModelGate {
  readonly onModelRequest: () => Promise<void>;
  /** Resolves when the model has been asked this often since the beginning. */
  readonly asked: (times: number) => Promise<void>;
  /** Lets the question through that is held; all of them, from now on, with `forEver`. */
  readonly letThrough: (options?: { readonly forEver?: boolean }) => void;
}

export function createModelGate(): ModelGate {
  let count = 0;
  let isOpen = false;
  const held: (() => void)[] = [];
  const waiting = new Set<() => void>();
  return {
    onModelRequest: () => {
      count += 1;
      for (const look of waiting) look();
      return isOpen ? Promise.resolve() : new Promise((resolve) => held.push(resolve));
    },
    asked: (times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (count < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    letThrough: ({ forEver = false } = {}) => {
      isOpen ||= forEver;
      for (const resolve of held.splice(0)) resolve();
    },
  };
}
