import { checkDiscord } from '../doctor/check-discord.ts';
import { checkModel } from '../doctor/check-model.ts';
import type { Finding } from '../doctor/finding.ts';
import { toPlainLine } from '../text/to-plain-line.ts';
import type { CommandFlags, CommandIo } from './command-io.ts';
import { loadSettings } from './load-settings.ts';

const signs: Readonly<Record<Finding['state'], string>> = { well: '✓', note: '!', wrong: '✗' };

/**
 * `agent-discord doctor`: tries everything that answering needs, and posts nothing.
 *
 * @returns the exit code: 1 when something has to be mended
 * @throws BotError `settings`
 */
export async function doctorCommand(flags: CommandFlags, io: CommandIo): Promise<number> {
  const { settings, texts } = await loadSettings(flags, io);
  let failed = 0;
  const report = ({ state, text }: Finding): void => {
    if (state === 'wrong') failed += 1;
    // Names of servers and channels are strangers' texts.
    io.print(`${signs[state]} ${toPlainLine(text)}`);
  };
  report({ state: 'well', text: texts.settingsOk });
  for (const finding of await checkDiscord(settings, texts)) report(finding);
  report(await checkModel(settings, texts));
  io.print(`\n${failed === 0 ? texts.allWell : texts.toMend(failed)}`);
  return failed === 0 ? 0 : 1;
}
