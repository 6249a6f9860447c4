import type { Locale } from '@agent/text';
import type { InformationNeeds } from './information-needs.ts';

/** The reason of a plan that the model did not give. @see decision E13 */
const reasons: Readonly<Record<Locale, string>> = {
  ja: '計画生成失敗',
  en: 'planning the collection failed',
};

/** What stands for a plan that could not be read: nothing is collected. @see decision E13 */
export function makeFailedPlan(locale: Locale): InformationNeeds {
  return {
    required_information: [],
    collection_order: [],
    skip_collection: true,
    skip_reason: reasons[locale],
  };
}

/** Whether nothing was collected because there was no plan, and not because nothing has to be known. */
export function isFailedPlan({ skip_collection: skips, skip_reason: reason }: InformationNeeds): boolean {
  return skips && Object.values(reasons).includes(reason);
}
