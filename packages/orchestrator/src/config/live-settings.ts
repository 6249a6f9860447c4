import type { RunSettings } from './run-settings.ts';

/** Settings that may change while they are used: whoever reads a section asks for it each time. */
export interface LiveSettings<Value> {
  readonly current: () => Value;
  /** Calls the listener after each change; gives back what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Holder of settings, for whoever may change them. */
export interface SettingsHolder<Value> extends LiveSettings<Value> {
  /** Takes a whole new value, then tells everybody. */
  readonly replace: (value: Value) => void;
}

/**
 * Creates the one place of settings that may change.
 *
 * @example
 * const settings = createSettings({ concurrency: 1 });
 * settings.subscribe(() => console.log(settings.current().concurrency));
 * settings.replace({ concurrency: 2 });
 */
export function createSettings<Value>(first: Value): SettingsHolder<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    current: () => value,
    subscribe: (listener) => {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    replace: (next) => {
      value = next;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Settings of the work that may change while it goes on, as a configuration writes them. */
export interface WorkSettings extends Pick<RunSettings, 'limits'> {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Seconds between two polls for tasks. */
  readonly poll_interval_seconds: number;
}
