import type { Server } from 'node:http';
import { GatewayCloseCodes, GatewayOpcodes, type GatewayReconnect } from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Happening } from '../state/dispatch.ts';
import type { World } from '../state/world.ts';
import { answerClient, type Connection, NO_DISPATCH } from './answer-client.ts';
import type { GatewayEvent } from './gateway-log.ts';
import { readClientPayload } from './read-client-payload.ts';
import { type Session, toHeard } from './session.ts';

export interface GatewayOptions {
  readonly world: World;
  readonly token: string;
  readonly url: () => string;
  readonly heartbeatIntervalMs: number;
  readonly changed: () => void;
}

/** The gateway, and the ways to break its connections. */
export interface Gateway {
  readonly log: readonly GatewayEvent[];
  readonly tell: (happening: Happening) => void;
  /** Ends all connections with a code, or without a farewell when it is null. Sessions stay. */
  readonly drop: (code: number | null) => void;
  readonly askToReconnect: () => void;
  readonly invalidateSessions: () => void;
  readonly setDeaf: (isDeaf: boolean) => void;
  readonly swallowResumes: (count: number) => void;
  readonly setLosing: (isLosing: boolean) => void;
  readonly close: () => void;
}

const NORMAL_ENDS: ReadonlySet<number> = new Set([1000, 1001]);

/** The gateway, version 10, JSON without compression. @see https://docs.discord.com/developers/events/gateway */
export function createGateway(server: Server, options: GatewayOptions): Gateway {
  const log: GatewayEvent[] = [];
  const sessions = new Map<string, Session>();
  const sockets = new WebSocketServer({ server, path: '/gateway' });
  let isDeaf = false;
  let isLosing = false;
  let resumesToSwallow = 0;
  const note = (event: GatewayEvent) => {
    log.push(event);
    options.changed();
  };
  sockets.on('connection', (socket) => {
    const connection = toConnection(socket);
    note({ kind: 'connect' });
    socket.on('message', (data) => {
      if (isDeaf) return;
      const payload = readClientPayload(String(data));
      if (payload?.op === GatewayOpcodes.Resume && resumesToSwallow > 0) {
        resumesToSwallow -= 1;
        note({ kind: 'resume', sequence: payload.d.seq, isAccepted: false });
      } else if (payload === null)
        socket.close(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
      else answerClient(payload, { ...options, sessions, connection, note });
    });
    socket.on('close', (code) => {
      endConnection(connection, { code, sessions });
      note({ kind: 'close', code });
    });
    connection.send({
      op: GatewayOpcodes.Hello,
      ...NO_DISPATCH,
      d: { heartbeat_interval: options.heartbeatIntervalMs },
    });
  });
  return {
    log,
    tell: (happening) => {
      if (isLosing) return;
      for (const session of sessions.values()) {
        const heard = toHeard(options.world, happening, session.intents);
        if (heard !== null) session.send(heard);
      }
    },
    drop: (code) => {
      for (const socket of sockets.clients) {
        if (code === null) socket.terminate();
        else socket.close(code);
      }
    },
    askToReconnect: () => {
      const payload: GatewayReconnect = { op: GatewayOpcodes.Reconnect, d: undefined, ...NO_DISPATCH };
      for (const socket of sockets.clients) socket.send(JSON.stringify(payload));
    },
    invalidateSessions: () => sessions.clear(),
    setDeaf: (value) => {
      isDeaf = value;
    },
    swallowResumes: (count) => {
      resumesToSwallow = count;
    },
    setLosing: (value) => {
      isLosing = value;
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

function toConnection(socket: WebSocket): Connection {
  return {
    session: null,
    send: (payload) => socket.send(JSON.stringify(payload)),
    sendText: (text) => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
  };
}

/** Ends the session of a client that says goodbye properly; from anybody else it is kept. */
function endConnection(
  { session, sendText }: Connection,
  { code, sessions }: { readonly code: number; readonly sessions: Map<string, Session> },
): void {
  // Whoever resumed a session on another connection keeps it.
  if (session === null || session.connection !== sendText) return;
  session.connection = null;
  if (NORMAL_ENDS.has(code)) sessions.delete(session.id);
}
