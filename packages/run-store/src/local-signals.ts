import { EventEmitter } from 'node:events';
import type { Json } from './journal-model.ts';
import type { StorageSignals } from './storage.ts';
import { requireChannel } from './storage-names.ts';

/** Carries messages within this process, for a place that no other process shares. It misses none. */
export function createLocalSignals(): StorageSignals {
  const channels = new EventEmitter().setMaxListeners(0);
  const toEvent = (channel: string) => `channel:${requireChannel(channel)}`;
  return {
    publish: async (channel, message) => void channels.emit(toEvent(channel), message),
    subscribe: async (channel, { onMessage }) => {
      const listener = (message: Json) => onMessage(message);
      channels.on(toEvent(channel), listener);
      return async () => void channels.off(toEvent(channel), listener);
    },
  };
}
