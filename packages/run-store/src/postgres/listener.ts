import type { Client } from 'pg';
import type { Database } from './database.ts';

interface ListenerOptions {
  /** Opens a connection that listens to these channels. */
  readonly connect: (channels: readonly string[]) => Promise<Client>;
  /** Tries again, for as long as the server is away. */
  readonly patiently: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs a task again and again until the function it gave back is called. */
  readonly repeat: (task: () => void) => () => void;
}

interface Entry {
  readonly channel: string;
  /** Hears what is notified; null where something may have been missed. */
  readonly listener: (payload: string | null) => void;
}

interface Listening {
  readonly opened: Promise<Client>;
  /** Carries statements out one after the other. */
  readonly send: (text: string) => Promise<unknown>;
  readonly stop: () => void;
}

const ignore = () => undefined;
const escapeIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Statement that listens to a channel. */
export const toListen = (channel: string) => `LISTEN ${escapeIdentifier(channel)}`;

/** Listens to any number of channels by one connection, which is open while anybody listens, and is opened again when it breaks. */
export function createListener({ connect, patiently, repeat }: ListenerOptions): Database['listen'] {
  const entries = new Set<Entry>();
  let current: Listening | null = null;
  const listChannels = () => [...new Set([...entries].map(({ channel }) => channel))];

  function open(): Listening {
    const opened = patiently(() => connect(listChannels()));
    let last: Promise<unknown> = opened;
    const send = (text: string): Promise<unknown> => {
      const sent = last.catch(ignore).then(async () => (await opened).query(text));
      last = sent;
      return sent;
    };
    // A connection that only listens does not notice by itself that nobody is there any more.
    let isOpen = false;
    const check = async (): Promise<void> => {
      if (isOpen) await send('SELECT 1').catch(async () => (await opened).end());
    };
    const listening = { opened, send, stop: repeat(() => void check().catch(ignore)) };
    opened.then(
      (client) => {
        isOpen = true;
        attend(client, listening);
      },
      () => close(listening),
    );
    return listening;
  }

  function attend(client: Client, listening: Listening): void {
    client.on('notification', ({ channel, payload = '' }) => {
      for (const entry of [...entries].filter((one) => one.channel === channel)) entry.listener(payload);
    });
    client.once('end', () => void reopen(listening));
  }

  async function reopen(broken: Listening): Promise<void> {
    if (current !== broken) return;
    broken.stop();
    current = open();
    const isOpen = await current.opened.then(() => true, ignore);
    if (isOpen) for (const { listener } of [...entries]) listener(null);
  }

  function close(listening: Listening): void {
    listening.stop();
    if (current === listening) current = null;
  }

  async function leave(entry: Entry): Promise<void> {
    const leaving = current;
    if (!entries.delete(entry) || leaving === null) return;
    const isLast = entries.size === 0;
    if (isLast) close(leaving);
    if (isLast) await leaving.opened.then((client) => client.end()).catch(ignore);
    else if (!listChannels().includes(entry.channel))
      await leaving.send(`UNLISTEN ${escapeIdentifier(entry.channel)}`).catch(ignore);
  }

  return async (channel, listener) => {
    const entry = { channel, listener };
    entries.add(entry);
    try {
      await patiently(async () => {
        current ??= open();
        await current.send(toListen(channel));
      });
    } catch (error) {
      await leave(entry);
      throw error;
    }
    return () => leave(entry);
  };
}
