import { ContextStoreError } from '../context-store-error.ts';
import type { Json } from '../journal-model.ts';
import type { SignalListener, StorageSignals } from '../storage.ts';
import { requireChannel } from '../storage-names.ts';
import type { Schema } from './schema.ts';

/** Bytes that the server takes as one notification. */
const maxBytes = 7_999;

interface Subscription {
  readonly channel: string;
  readonly listener: SignalListener;
}

/** Messages between the processes of a cluster: one channel of the server, and one connection that listens to it. */
export function createSignals({
  database,
  name: cluster,
}: Schema): StorageSignals & { readonly close: () => Promise<void> } {
  const name = `${cluster}_signals`;
  const subscriptions = new Set<Subscription>();
  let listening: Promise<() => Promise<void>> | null = null;

  function hear(payload: string | null): void {
    if (payload === null) {
      for (const { listener } of subscriptions) listener.onGap();
      return;
    }
    const { channel, message } = JSON.parse(payload) as { channel: string; message: Json };
    for (const { listener } of [...subscriptions].filter((one) => one.channel === channel))
      listener.onMessage(message);
  }

  async function stop(): Promise<void> {
    const stopped = listening;
    listening = null;
    await (await stopped)?.();
  }

  return {
    publish: async (channel, message) => {
      const payload = JSON.stringify({ channel: requireChannel(channel), message });
      if (Buffer.byteLength(payload) > maxBytes) throw isTooLong(channel);
      await database.query('SELECT pg_notify($1, $2)', [name, payload]);
    },
    subscribe: async (channel, listener) => {
      const subscription = { channel: requireChannel(channel), listener };
      subscriptions.add(subscription);
      listening ??= database.listen(name, hear);
      await listening.catch((error: unknown) => {
        listening = null;
        subscriptions.delete(subscription);
        throw error;
      });
      return async () => {
        subscriptions.delete(subscription);
        if (subscriptions.size === 0) await stop();
      };
    },
    close: async () => {
      subscriptions.clear();
      await stop();
    },
  };
}

function isTooLong(channel: string): ContextStoreError {
  const message = `A message on channel "${channel}" is longer than ${maxBytes} bytes. Send a reference instead of the content.`;
  return new ContextStoreError(message, { code: 'invalid' });
}
