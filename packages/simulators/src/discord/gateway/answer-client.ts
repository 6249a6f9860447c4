import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayOpcodes,
  type GatewayReadyDispatchData,
  type GatewayReceivePayload,
} from 'discord-api-types/v10';
import { guildPayload } from '../payloads/guild-payload.ts';
import { applicationFlags } from '../rest/account-routes.ts';
import type { World } from '../state/world.ts';
import type { GatewayEvent } from './gateway-log.ts';
import type { ClientPayload } from './read-client-payload.ts';
import { asksTooMuch, isKnownIntents } from './required-intents.ts';
import { createSession, type Session } from './session.ts';

/** Fields of every payload that is no event. */
export const NO_DISPATCH = { t: null, s: null } as const;

export interface Connection {
  session: Session | null;
  readonly send: (payload: GatewayReceivePayload) => void;
  readonly sendText: (text: string) => void;
  readonly close: (code: GatewayCloseCodes, reason: string) => void;
}

export interface ClientContext {
  readonly world: World;
  readonly token: string;
  readonly url: () => string;
  readonly sessions: Map<string, Session>;
  readonly connection: Connection;
  readonly note: (event: GatewayEvent) => void;
}

type Identify = Extract<ClientPayload, { readonly op: GatewayOpcodes.Identify }>['d'];
type Resume = Extract<ClientPayload, { readonly op: GatewayOpcodes.Resume }>['d'];

/** Does what a client's payload asks for. */
export function answerClient(payload: ClientPayload, context: ClientContext): void {
  switch (payload.op) {
    case GatewayOpcodes.Heartbeat:
      context.note({ kind: 'heartbeat' });
      context.connection.send({ op: GatewayOpcodes.HeartbeatAck, d: undefined, ...NO_DISPATCH });
      break;
    case GatewayOpcodes.Identify:
      identify(payload.d, context);
      break;
    case GatewayOpcodes.Resume:
      resume(payload.d, context);
      break;
  }
}

function identify({ token, intents }: Identify, context: ClientContext): void {
  const { connection, world, note, sessions } = context;
  note({ kind: 'identify', intents });
  const refused = findRefusal(token, intents, context);
  if (refused !== null) {
    connection.close(refused, GatewayCloseCodes[refused]);
    return;
  }
  const session = createSession(world.nextId(), intents);
  sessions.set(session.id, session);
  connect(connection, session);
  session.send({ t: GatewayDispatchEvents.Ready, d: readyData(context, session) });
  session.send({ t: GatewayDispatchEvents.GuildCreate, d: guildPayload(world) });
}

function findRefusal(token: string, intents: number, context: ClientContext): GatewayCloseCodes | null {
  if (token !== context.token) return GatewayCloseCodes.AuthenticationFailed;
  if (!isKnownIntents(intents)) return GatewayCloseCodes.InvalidIntents;
  return asksTooMuch(intents, context.world.privileged) ? GatewayCloseCodes.DisallowedIntents : null;
}

function readyData({ world, url }: ClientContext, session: Session): GatewayReadyDispatchData {
  return {
    v: 10,
    user: world.bot,
    guilds: [{ id: world.guildId, unavailable: true }],
    session_id: session.id,
    resume_gateway_url: url(),
    shard: [0, 1],
    application: {
      id: world.bot.id,
      flags: applicationFlags(world),
      flags_new: String(applicationFlags(world)),
    },
  };
}

/** Sends what was missed first, then RESUMED. */
function resume({ token, session_id: id, seq }: Resume, context: ClientContext): void {
  const { connection, sessions, note } = context;
  if (token !== context.token) {
    connection.close(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
    return;
  }
  const session = sessions.get(id);
  const isAccepted = session?.replay(seq, connection.sendText) ?? false;
  note({ kind: 'resume', sequence: seq, isAccepted });
  if (session === undefined || !isAccepted) {
    connection.send({ op: GatewayOpcodes.InvalidSession, d: false, ...NO_DISPATCH });
    return;
  }
  connect(connection, session);
  session.send({ t: GatewayDispatchEvents.Resumed, d: undefined });
}

function connect(connection: Connection, session: Session): void {
  connection.session = session;
  session.connection = connection.sendText;
}
