import { BotError } from '../bot-error.ts';
import type { TerminalTexts } from '../cli/terminal-texts.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createModel } from '../model/create-model.ts';
import { findBareHost } from '../model/find-bare-host.ts';
import { findUnreachable } from '../model/find-unreachable.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { Finding } from './finding.ts';

export interface CheckModelOptions {
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
