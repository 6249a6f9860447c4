import type { TerminalTexts } from '../cli/terminal-texts.ts';
import { createModel } from '../model/create-model.ts';
import { findBareHost } from '../model/find-bare-host.ts';
import { findUnreachable } from '../model/find-unreachable.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { Finding } from './finding.ts';

/** Asks the model once, as a message would. */
export async function checkModel(settings: Settings, texts: TerminalTexts): Promise<Finding> {
  if (settings.MODEL_MODULE === undefined) {
    const reason = await findUnreachable(settings);
    if (reason !== null)
      return { state: 'wrong', text: texts.modelUnreachable(settings.LM_BASE_URL, reason) };
  }
  const begun = Date.now();
  try {
    const model = await createModel(settings);
    const turn = { role: 'user', text: 'doctor: Say "ready".' } as const;
    await model.reply(
      { turns: [turn], transcript: `${turn.role}: ${turn.text}` },
      { signal: new AbortController().signal, onText: null },
    );
    return { state: 'well', text: texts.modelAnswers(Date.now() - begun) };
  } catch (error) {
    const host = findBareHost(settings);
    const hint = host === null ? '' : ` ${texts.addressWithoutPath(host)}`;
    return { state: 'wrong', text: texts.modelFails((error as Error).message) + hint };
  }
}
