import { BotError } from '../bot-error.ts';
import { type Clock, systemClock } from '../clock.ts';
import { checkDiscord, type Finding } from '../doctor/check-discord.ts';
import { createModel } from '../model/create-model.ts';
import { findBareHost, findUnreachable } from '../model/find-first-model.ts';
import type { Settings } from '../settings/settings-schema.ts';
import { toPlainLine } from '../text/to-plain-line.ts';
import type { CommandFlags, CommandIo } from './command-io.ts';
import { loadSettings } from './load-settings.ts';
import type { TerminalTexts } from './terminal-texts.en.ts';

const signs: Readonly<Record<Finding['state'], string>> = { well: '✓', note: '!', wrong: '✗' };

/**
 * `agent-discord doctor`: tries everything that answering needs, and posts nothing.
 *
 * @returns the exit code: 1 when something has to be fixed
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
  io.print(`\n${failed === 0 ? texts.allWell : texts.toFix(failed)}`);
  return failed === 0 ? 0 : 1;
}

interface CheckModelOptions {
  readonly clock?: Clock | undefined;
}

/** Asks the model once, as a message would. */
export async function checkModel(
  settings: Settings,
  texts: TerminalTexts,
  { clock = systemClock }: CheckModelOptions = {},
): Promise<Finding> {
  if (settings.MODEL_MODULE === undefined) {
    const reason = await findUnreachable(settings);
    if (reason !== null)
      return { state: 'wrong', text: texts.modelUnreachable(settings.LM_BASE_URL, reason) };
  }
  const begun = clock.now();
  try {
    const model = await createModel(settings, { clock });
    const turn = { role: 'user', text: 'doctor: Say "ready".' } as const;
    await model.reply(
      { turns: [turn], transcript: `${turn.role}: ${turn.text}` },
      { signal: new AbortController().signal, onText: null },
    );
    return { state: 'well', text: texts.modelAnswers(clock.now() - begun) };
  } catch (error) {
    const said = texts.modelFails((error as Error).message);
    return { state: 'wrong', text: [said, ...adviseOn(error, settings, texts)].join(' ') };
  }
}

function adviseOn(error: unknown, settings: Settings, texts: TerminalTexts): readonly string[] {
  if (settings.MODEL_MODULE !== undefined) return [];
  const host = findBareHost(settings);
  if (host !== null) return [texts.addressWithoutPath(host)];
  const { code = null, status = null } = BotError.isInstance(error) ? error : {};
  if (status === 401 || status === 403) return [texts.modelRefusesKey];
  return [code === 'model-timeout' ? texts.modelTakesLong : texts.loadModel];
}
