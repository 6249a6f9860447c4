import { entryOf } from '@agent/orchestrator/platforms';
import type { Environment } from '@agent/workspace';
import type { InitAnswers, Prompt } from './ask-answers.ts';
import type { InitTexts } from './texts.en.ts';

/** Circumstances of the offer to create the labels. */
export interface OfferLabelsOptions {
  readonly texts: InitTexts;
  /** Null if nothing is to be asked. */
  readonly prompt: Prompt | null;
  /** True if the user wants the labels without a question. */
  readonly isWanted: boolean;
  /** Reads the variables of the new configuration, those of its `.env` included. */
  readonly readEnvironment: () => Promise<Environment>;
  /** Creates the labels; false if they could not be created everywhere. */
  readonly create: () => Promise<boolean>;
}

/**
 * Creates the labels in all configured repositories if the user wants that now. Asks only if the token is known. With a GitHub App it
 * creates none: the App has to be created in the browser first.
 *
 * @returns null if no labels were created, else whether all could be
 */
export async function offerLabels(
  { platform, trigger, app }: InitAnswers,
  { texts, prompt, isWanted, readEnvironment, create }: OfferLabelsOptions,
): Promise<boolean | null> {
  if (trigger !== 'label' || app !== null || (prompt === null && !isWanted)) return null;
  if (prompt === null || isWanted) return create();
  const { tokenVariable } = entryOf(platform).init;
  if (!(await readEnvironment())[tokenVariable]?.trim()) return null;
  const answer = await prompt(`${texts.questions.createLabels} ${texts.yesOrNo} `);
  return /^\s*n/i.test(answer) ? null : create();
}
