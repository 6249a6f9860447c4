import { ModelError } from '@agent/runner/reply';
import { createModel, findBareHost, findModelProblem } from './create-model.ts';
import type { Settings } from './settings/parse-settings.ts';
import type { TerminalTexts } from './terminal-texts.en.ts';
import { type Clock, systemClock } from './waits.ts';

/** One thing that was looked at. */
export interface Finding {
  /** `note`: it may be meant so. */
  readonly state: 'well' | 'note' | 'wrong';
  /** Finding in a sentence; where it is wrong, what to do about it. */
  readonly text: string;
}

export interface CheckOptions {
  readonly clock?: Clock | undefined;
  /** Ends the request. Default: nothing ends it before the timeout. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks the model once, as a message would. */
export async function checkModel(
  settings: Settings,
  texts: TerminalTexts,
  { clock = systemClock, signal = new AbortController().signal }: CheckOptions = {},
): Promise<Finding> {
  const reason = await findModelProblem(settings);
  if (reason !== null) return { state: 'wrong', text: texts.modelUnreachable(settings.LM_BASE_URL, reason) };
  const begun = clock.now();
  try {
    const model = await createModel(settings, { clock });
    const message = { role: 'user', content: 'doctor: Say "ready".' } as const;
    await model.reply(
      { messages: [message], transcript: `${message.role}: ${message.content}` },
      { signal, onText: null },
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
  const { code = null, status = null } = ModelError.isInstance(error) ? error : {};
  if (status === 401 || status === 403) return [texts.modelRefusesKey];
  return [code === 'model-timeout' ? texts.modelTakesLong : texts.loadModel];
}
