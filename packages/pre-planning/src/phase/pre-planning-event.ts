import type { Assumption } from '../assumption/assumption.ts';
import type { CollectionStatus } from '../collection/collected-information.ts';
import type { InformationNeeds } from '../collection/information-needs.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';

/**
 * Event of the phase. `notice` is Markdown for the thread, null where none is wanted; after a crash the last
 * one may come once more, so that whoever posts it looks for it first. @see seed 004 §8.1
 */
export type PrePlanningEvent =
  /** `status` is for a live view. */
  | { readonly type: 'analysis-start'; readonly status: string; readonly notice: string | null }
  | {
      readonly type: 'understanding-end';
      readonly understanding: RequestUnderstanding;
      readonly isSufficient: boolean;
      /** It takes in what was said since the first one. */
      readonly isRevised: boolean;
      readonly notice: string | null;
    }
  | { readonly type: 'collection-start'; readonly needs: InformationNeeds; readonly notice: string | null }
  | {
      readonly type: 'collection-progress';
      readonly done: number;
      readonly total: number;
      readonly notice: null;
    }
  | { readonly type: 'assumption-made'; readonly assumption: Assumption; readonly notice: string | null }
  /** The end of the phase, also when nothing was collected. */
  | { readonly type: 'collection-end'; readonly status: CollectionStatus; readonly notice: string | null };
