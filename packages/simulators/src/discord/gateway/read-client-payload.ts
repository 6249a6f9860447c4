import { GatewayOpcodes } from 'discord-api-types/v10';
import { z } from 'zod';

const schema = z.discriminatedUnion('op', [
  z.object({ op: z.literal(GatewayOpcodes.Heartbeat), d: z.number().nullable() }),
  z.object({
    op: z.literal(GatewayOpcodes.Identify),
    d: z.object({ token: z.string(), intents: z.number() }),
  }),
  z.object({
    op: z.literal(GatewayOpcodes.Resume),
    d: z.object({ token: z.string(), session_id: z.string(), seq: z.number() }),
  }),
  z.object({ op: z.literal(GatewayOpcodes.PresenceUpdate) }),
]);

/** Payloads that a client may send here. */
export type ClientPayload = z.infer<typeof schema>;

/** Null: nothing that this gateway understands. */
export function readClientPayload(text: string): ClientPayload | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
