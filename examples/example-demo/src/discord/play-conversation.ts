import type { Printer } from '../printer.ts';
import type { Conversation } from './conversation.ts';
import { models, type Stage } from './open-stage.ts';
import { trip } from './plan-trip.ts';
import type { BotProcess } from './start-bot-process.ts';

export interface ConversationParts {
  readonly stage: Stage;
  readonly talk: Conversation;
  readonly printer: Printer;
  readonly startBot: () => Promise<BotProcess>;
}

/** The whole conversation. Gives the exit codes of the bot's processes. */
export async function playConversation(parts: ConversationParts): Promise<readonly number[]> {
  const { stage, talk, printer, startBot } = parts;
  const first = await startBot();

  const threadId = talk.mention('alice', trip.mention);
  await talk.answers(threadId, 1);
  talk.write('alice', threadId, trip.followUp);
  await talk.answers(threadId, 2);
  talk.write('bob', threadId, trip.newcomer);
  await talk.answers(threadId, 3);

  printer.event('stage', 'LM Studio is reloaded with another model and forgets all earlier responses');
  stage.lmStudio.reload([models.second]);
  talk.write('alice', threadId, trip.afterReload);
  await talk.answers(threadId, 4);

  printer.event('stage', 'the bot is stopped');
  first.signal('SIGTERM');
  const exitCode = await first.ended;
  talk.write('bob', threadId, trip.whileAway);
  printer.event('stage', 'the bot is started again, as a new process');
  const second = await startBot();
  await talk.answers(threadId, 5);
  talk.write('alice', threadId, trip.afterRestart);
  await talk.answers(threadId, 6);
  second.signal('SIGTERM');
  return [exitCode, await second.ended];
}
