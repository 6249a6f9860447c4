import type { DiscordRequest, DiscordRoute } from '@agent/simulators/discord';

const deeds: Partial<Record<DiscordRoute, string>> = {
  'POST /channels/:channel/messages/:message/threads': 'opens a thread on that message',
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': 'puts 👀 on the message: it was received',
  'POST /channels/:channel/typing': 'is typing …',
  'GET /channels/:channel/messages': 'reads the thread from Discord',
  'GET /channels/:channel/messages/:message': 'reads the message that the thread was made from',
};

/** Says in words what the bot did. Null for what people do not see or see elsewhere. */
export function describeDiscordRequest({ route, status }: DiscordRequest): string | null {
  const deed = route === null ? undefined : deeds[route];
  if (deed === undefined) return null;
  return status !== null && status >= 400 ? `${deed}: refused with ${status}` : deed;
}
