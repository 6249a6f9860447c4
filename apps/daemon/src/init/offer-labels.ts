import { entryOf } from '@agent/orchestrator/platforms';
import type { Prompt } from '../cli/command-io.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { InitAnswers } from './ask-answers.ts';
import type { InitTexts } from './texts.en.ts';

/** Circumstances of the offer to create the labels. */
export interface OfferLabelsOptions {
  readonly texts: InitTexts;
  /** Null if nothing is to be asked. */
  readonly prompt: Prompt | null;
  /** True if the user wants the labels without a question. */
  readonly isWanted: boolean;
  /** Loads the new configuration. */
  readonly load: () => Promise<LoadedConfig>;
  /** Creates the labels; false if a repository failed. */
  readonly create: (loaded: LoadedConfig) => Promise<boolean>;
}

/**
 * Creates the labels in all configured repositories if the user wants that now. Asks only if the token is known. With a GitHub App it
 * creates none: the App has to be created in the browser first.
 *
 * @returns null if no labels were created, else whether all could be
 */
export async function offerLabels(
  { platform, trigger, app }: InitAnswers,
  { texts, prompt, isWanted, load, create }: OfferLabelsOptions,
): Promise<boolean | null> {
  if (trigger !== 'label' || app !== null || (prompt === null && !isWanted)) return null;
  const loaded = await load();
  if (prompt === null || isWanted) return create(loaded);
  const { tokenVariable } = entryOf(platform).init;
  if (!loaded.environment[tokenVariable]?.trim()) return null;
  const answer = await prompt(`${texts.questions.createLabels} ${texts.yesOrNo} `);
  return /^\s*n/i.test(answer) ? null : create(loaded);
}
