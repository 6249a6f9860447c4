/** Time and events of a window, as far as presses need them. */
export interface PressOptions {
  /** Window on which people press. */
  readonly target: Pick<EventTarget, 'addEventListener'>;
  /** Calls back after so many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
}

/** Press of a person that is under way. */
export interface Press {
  /** Resolves once nothing is pressed and no form is on its way; at once where that is so. */
  readonly released: () => Promise<void>;
}

/** Milliseconds after which a form that led nowhere holds nothing any more. */
const formMs = 10_000;

/**
 * Creates what tells whether somebody presses something. Between the press and its release nothing of the page may be replaced: a browser clicks on
 * what was there at both moments, and a reload breaks off a form that is on its way.
 */
export function createPress({ target, later }: PressOptions): Press {
  const reasons = new Set<'pointer' | 'key' | 'form'>();
  const waiting: (() => void)[] = [];

  function release(...ended: readonly ('pointer' | 'key' | 'form')[]): void {
    for (const reason of ended) reasons.delete(reason);
    if (reasons.size > 0) return;
    for (const go of waiting.splice(0)) go();
  }
  function on(names: readonly string[], listener: (event: Event) => void): void {
    for (const name of names) target.addEventListener(name, listener, { capture: true });
  }

  on(['pointerdown'], () => void reasons.add('pointer'));
  // The click follows its release, so that what waits goes on a moment later.
  on(['pointerup', 'pointercancel', 'dragend'], () => later(() => release('pointer'), 0));
  on(['keydown'], (event) => {
    if (isSpace(event)) reasons.add('key');
  });
  on(['keyup'], (event) => {
    if (isSpace(event)) later(() => release('key'), 0);
  });
  on(['submit'], () => {
    reasons.add('form');
    later(() => release('form'), formMs);
  });
  on(['blur'], (event) => {
    if (event.target === target) release('pointer', 'key');
  });
  on(['pageshow'], () => release('pointer', 'key', 'form'));

  return {
    released: () =>
      reasons.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}

/** Space presses a button as a pointer does; any other key acts at once. */
function isSpace(event: Event): boolean {
  return 'key' in event && event.key === ' ';
}
