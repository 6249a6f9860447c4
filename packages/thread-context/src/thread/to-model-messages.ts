import type { ChatTurn } from './ports.ts';

/** A message as the AI SDK takes it. */
export interface TurnMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** The turns as messages for `generateText({ messages })` of the AI SDK, for models that are not given one text. */
export function toModelMessages(turns: readonly ChatTurn[]): TurnMessage[] {
  return turns.map(({ role, text }) => ({ role, content: text }));
}
