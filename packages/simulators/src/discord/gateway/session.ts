import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10';
import { hideContent } from '../payloads/hide-content.ts';
import { botMay } from '../permissions/bot-may.ts';
import type { Dispatch, Happening } from '../state/dispatch.ts';
import { isDirect, type World } from '../state/world.ts';
import { requiredIntent } from './required-intents.ts';

/** Number of events that a session keeps for one who comes back; Discord's own number is not known. */
const KEPT_EVENTS = 1000;

/** One login at the gateway. It outlives its connection, so that a client which comes back misses nothing. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  /** Numbers an event, keeps it, and sends it when somebody is connected. */
  readonly send: (dispatch: Pick<GatewayDispatchPayload, 't' | 'd'>) => void;
  /** Sends what came after `sequence`; false: too much was forgotten. */
  readonly replay: (sequence: number, sendText: (text: string) => void) => boolean;
  /** Null: nobody is connected. */
  connection: ((text: string) => void) | null;
}

export function createSession(id: string, intents: number): Session {
  const kept: { readonly sequence: number; readonly text: string }[] = [];
  let last = 0;
  const session: Session = {
    id,
    intents,
    connection: null,
    send: ({ t, d }) => {
      last += 1;
      const text = JSON.stringify({ op: GatewayOpcodes.Dispatch, s: last, t, d });
      kept.push({ sequence: last, text });
      if (kept.length > KEPT_EVENTS) kept.shift();
      session.connection?.(text);
    },
    replay: (sequence, sendText) => {
      const first = kept[0]?.sequence ?? 1;
      if (sequence > last || sequence < first - 1) return false;
      for (const event of kept) if (event.sequence > sequence) sendText(event.text);
      return true;
    },
  };
  return session;
}

/** Finds what a session hears of something, if anything. */
export function toHeard(world: World, { dispatch, channelId }: Happening, intents: number): Dispatch | null {
  const channel = channelId === null ? undefined : world.channels.get(channelId);
  if (!(intents & requiredIntent(dispatch, channel !== undefined && isDirect(channel)))) return null;
  if (channel !== undefined && !botMay(world, channel, 'ViewChannel')) return null;
  return intents & GatewayIntentBits.MessageContent && world.privileged.messageContent
    ? dispatch
    : withoutContent(world, dispatch);
}

function withoutContent(world: World, dispatch: Dispatch): Dispatch {
  switch (dispatch.t) {
    case GatewayDispatchEvents.MessageCreate:
    case GatewayDispatchEvents.MessageUpdate:
      return { ...dispatch, d: hideContent(world, dispatch.d) };
    default:
      return dispatch;
  }
}
