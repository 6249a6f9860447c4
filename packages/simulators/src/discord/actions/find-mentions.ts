import type { APIUser } from 'discord-api-types/v10';
import type { Mentions } from '../state/message-record.ts';
import type { World } from '../state/world.ts';

const CODE = /```[\s\S]*?```|`[^`\n]+`/g;

/** Whom a text calls: `<@id>`, `<@!id>`, `<@&role>`, `@everyone` and `@here`, each once, and none inside code. */
export function findMentions(world: World, content: string): Mentions {
  const text = content.replaceAll(CODE, '');
  const users = idsOf(text, /<@!?(\d+)>/g).flatMap((id) => world.users.get(id) ?? []);
  const roles = idsOf(text, /<@&(\d+)>/g).filter((id) => world.roles.has(id));
  return { users, roles, everyone: /@(?:everyone|here)\b/.test(text) };
}

/** The same with the author of the message that is replied to. */
export function withReplied(mentions: Mentions, replied: APIUser | undefined): Mentions {
  if (replied === undefined || mentions.users.some(({ id }) => id === replied.id)) return mentions;
  return { ...mentions, users: [...mentions.users, replied] };
}

function idsOf(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, id]) => id ?? []))];
}
