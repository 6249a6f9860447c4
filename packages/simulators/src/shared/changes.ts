/** Lets somebody wait for a state instead of looking again and again. */
export interface Changes {
  readonly changed: () => void;
  /** Looks now and after each change until there is something; rejects when the signal aborts. */
  readonly until: <Found>(
    look: () => Found | undefined | null | false,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<Found>;
}

export function createChanges(closing: AbortSignal): Changes {
  const lookers = new Set<() => void>();
  return {
    changed: () => {
      for (const look of [...lookers]) look();
    },
    until: (look, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const signals = AbortSignal.any(signal === undefined ? [closing] : [closing, signal]);
        const end = (settle: () => void) => {
          lookers.delete(lookAgain);
          signals.removeEventListener('abort', giveUp);
          settle();
        };
        const giveUp = () => end(() => reject(signals.reason));
        const lookAgain = () => {
          try {
            const found = look();
            if (found !== undefined && found !== null && found !== false) end(() => resolve(found));
          } catch (error) {
            end(() => reject(error));
          }
        };
        lookers.add(lookAgain);
        signals.addEventListener('abort', giveUp, { once: true });
        if (signals.aborted) giveUp();
        else lookAgain();
      }),
  };
}
