import type { ChatTurn } from './ports.ts';

/** A turn of which the name is still known by itself. */
export interface ThreadTurn {
  /** Id of its message. */
  readonly id: string;
  /** Null for the bot's own; empty where there was no room for it. */
  readonly name: string | null;
  readonly text: string;
}

/** A turn as a model reads it. */
export function toChatTurn({ name, text }: ThreadTurn): ChatTurn {
  if (name === null) return { role: 'assistant', text };
  return { role: 'user', text: name === '' ? text : `${name}: ${text}` };
}
