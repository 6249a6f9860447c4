import type { Printer } from '../printer.ts';
import { describeDiscordRequest } from './describe-discord-request.ts';
import type { Stage } from './open-stage.ts';

export type Person = 'alice' | 'bob';

/** People talking in the simulated Discord, printed as it happens. */
export interface Conversation {
  /** Calls the bot in the channel; gives the id of the thread that is to come. */
  readonly mention: (who: Person, text: string) => string;
  readonly write: (who: Person, threadId: string, text: string) => void;
  /** Waits until the bot has said so many things there. */
  readonly answers: (threadId: string, count: number) => Promise<void>;
  /** What goes into the model and what comes out. */
  readonly modelAnswers: (input: string, answer: string) => void;
}

export interface ConversationOptions {
  /** Asked for late, because the model on it speaks here, too. */
  readonly stage: () => Stage;
  /** Resolves when the bot's process has said that it answered. */
  readonly logged: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

export function createConversation(printer: Printer, options: ConversationOptions): Conversation {
  const { stage, logged, signal } = options;
  let shown = 0;
  const catchUp = (): void => {
    const { requests } = stage().discord;
    for (const request of requests.slice(shown)) {
      const deed = describeDiscordRequest(request);
      if (deed !== null) printer.detail('suzume', deed);
    }
    shown = requests.length;
  };
  const listAnswers = (threadId: string): readonly string[] => {
    const { discord } = stage();
    if (!discord.threads().some(({ id }) => id === threadId)) return [];
    return discord
      .lastMessages(threadId)
      .filter(({ author }) => author.id === discord.bot.id)
      .map(({ content }) => content);
  };
  return {
    mention: (who, text) => {
      printer.event(who, `in #general: “@suzume ${text}”`);
      const { people, generalId } = stage().discord;
      return people.say(who, generalId, text, { mention: true }).id;
    },
    write: (who, threadId, text) => {
      printer.event(who, `in the thread: “${text}”`);
      stage().discord.people.say(who, threadId, text);
    },
    answers: async (threadId, count) => {
      const line = logged();
      line.catch(() => {});
      const texts = await stage().discord.until(
        () => {
          const found = listAnswers(threadId);
          return found.length >= count && found;
        },
        { signal },
      );
      catchUp();
      printer.event('suzume', `in the thread: “${texts.at(-1)}”`);
      await line;
    },
    modelAnswers: (input, answer) => {
      catchUp();
      const messages = input.match(/^(user|assistant): /gm)?.length ?? 0;
      const [start] = answer.split('\n');
      printer.detail('model', `receives ${messages} messages and answers “${start}”`);
    },
  };
}
