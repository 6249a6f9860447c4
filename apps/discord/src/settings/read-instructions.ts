import { readFile } from 'node:fs/promises';
import { BotError } from '../bot-error.ts';
import type { Settings } from './settings-schema.ts';

/**
 * The settings with the instructions that stand in a file.
 *
 * @throws BotError `settings` when the file cannot be read or is empty
 */
export async function readInstructions(settings: Settings): Promise<Settings> {
  const { INSTRUCTIONS_FILE: path } = settings;
  if (path === undefined) return settings;
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ?? 'unknown reason';
    throw new BotError('settings', `INSTRUCTIONS_FILE: cannot read ${path} (${reason})`, { cause });
  });
  if (text.trim() === '') {
    throw new BotError(
      'settings',
      `INSTRUCTIONS_FILE: ${path} is empty; write what the model is told, or remove it`,
    );
  }
  return { ...settings, INSTRUCTIONS: text.trim() };
}
