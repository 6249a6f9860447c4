import type { Bench } from '../report.ts';
import { measureAnswers } from './measure-answers.ts';
import { measureCollection } from './measure-collection.ts';
import { measureHostile } from './measure-hostile.ts';
import { toPrePlanningReport } from './pre-planning-report.ts';

/** Collecting, reading what a model says, and what becomes of broken answers. */
export const prePlanningBench: Bench = {
  name: 'pre-planning',
  run: async ({ onProgress }) => {
    onProgress('reading hostile answers');
    const hostile = measureHostile();
    onProgress('collecting');
    const collections = [];
    for (const items of [5, 10, 20]) collections.push(await measureCollection(items));
    onProgress('asking models at fault');
    return toPrePlanningReport({ collections, hostile, fates: await measureAnswers() });
  },
};
