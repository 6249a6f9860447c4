import type { APIMessage } from 'discord-api-types/v10';
import { hideContent } from '../payloads/hide-content.ts';
import { messagePayload } from '../payloads/message-payload.ts';
import type { MessageRecord } from '../state/message-record.ts';
import type { World } from '../state/world.ts';

/** A message as the bot may read it over REST, where the developer portal decides and no session does. */
export function viewMessage(world: World, message: MessageRecord): APIMessage {
  const payload = messagePayload(world, message);
  return world.privileged.messageContent ? payload : hideContent(world, payload);
}
