import { performance } from 'node:perf_hooks';
import { openRoom, type RoomOptions } from './open-room.ts';

export interface ThroughputFigure {
  readonly name: string;
  readonly messages: number;
  readonly perSecond: number;
  /** The bot's processor time for one message. */
  readonly cpuMsPerMessage: number;
  readonly requestsPerMessage: number;
}

export interface ThroughputOptions extends RoomOptions {
  readonly name: string;
  /** Threads in which somebody writes again as soon as there is an answer. */
  readonly threads: number;
  readonly turns: number;
}

/** How many messages a second are answered, from the gateway's event to the posted answer. */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputFigure> {
  const { name, threads, turns } = options;
  const room = await openRoom(options);
  try {
    const ids: string[] = [];
    for (let index = 0; index < threads; index += 1) ids.push(await room.open(`question ${index}`));
    const before = await room.bot.measure();
    room.discord.clearRequests();
    const begun = performance.now();
    await Promise.all(
      ids.map(async (id) => {
        for (let turn = 0; turn < turns; turn += 1) await room.ask(id, `turn ${turn}`);
      }),
    );
    const seconds = (performance.now() - begun) / 1_000;
    const after = await room.bot.measure();
    const messages = threads * turns;
    return {
      name,
      messages,
      perSecond: messages / seconds,
      cpuMsPerMessage: (after.cpuMs - before.cpuMs) / messages,
      requestsPerMessage: room.discord.requests.length / messages,
    };
  } finally {
    await room.close();
  }
}
