import { checkDiscord } from '../doctor/check-discord.ts';
import { checkModel } from '../doctor/check-model.ts';
import type { Finding } from '../doctor/finding.ts';
import type { CommandFlags, CommandIo } from './command-io.ts';
import { loadSettings } from './load-settings.ts';

/**
 * `agent-discord doctor`: tries everything that answering needs, and posts nothing.
 *
 * @returns the exit code: 1 when something has to be mended
 * @throws BotError `settings`
 */
export async function doctorCommand(flags: CommandFlags, io: CommandIo): Promise<number> {
  const { settings, texts } = await loadSettings(flags, io);
  let failed = 0;
  const report = ({ isWell, text }: Finding): void => {
    if (!isWell) failed += 1;
    io.print(`${isWell ? '✓' : '✗'} ${text}`);
  };
  report({ isWell: true, text: texts.settingsOk });
  for (const finding of await checkDiscord(settings, texts)) report(finding);
  report(await checkModel(settings, texts));
  io.print(`\n${failed === 0 ? texts.allWell : texts.toMend(failed)}`);
  return failed === 0 ? 0 : 1;
}
