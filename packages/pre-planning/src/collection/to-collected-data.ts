import type { Logger } from '@agent/text';
import type { DetailStore } from '../ports.ts';
import { fitStart } from '../prompts/fit-start.ts';
import type { CollectionResult } from './collected-information.ts';

const summaryChars = 500;

export interface DetailOptions {
  readonly maxDetailChars: number;
  readonly details: DetailStore | null;
  readonly logger: Logger | null;
}

/** The record of an output; one that is too long is kept whole elsewhere. @see decision E15 */
export async function toCollectedData(
  infoId: string,
  output: string,
  { maxDetailChars, details, logger }: DetailOptions,
): Promise<NonNullable<CollectionResult['collected_data']>> {
  if (output.length > maxDetailChars && details !== null) {
    try {
      await details.save(infoId, output);
    } catch (err) {
      logger?.warn({ infoId, err }, 'details could not be kept whole; their beginning is in the record');
    }
  }
  const summary = fitStart(
    output
      .slice(0, 4 * summaryChars)
      .replace(/\s+/g, ' ')
      .trim(),
    summaryChars,
  );
  return { summary, details: fitStart(output, maxDetailChars) };
}
