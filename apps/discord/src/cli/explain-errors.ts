import { BotError } from '../bot-error.ts';
import type { CommandIo } from './command-io.ts';

/** Runs a command. An error whose message is made for people becomes that message and exit code 1, any other goes on. */
export async function explainErrors(
  command: () => Promise<number>,
  { warn }: Pick<CommandIo, 'warn'>,
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!BotError.isInstance(error)) throw error;
    warn(`agent-discord: ${error.message}`);
    return 1;
  }
}
