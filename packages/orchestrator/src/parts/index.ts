export { createOpenRunModels, findContextLength } from '../models/run-models.ts';
export type { ModelWatch } from '../models/watch-model.ts';
export { createEarlierRuns, type EarlierRuns } from '../past/earlier-runs.ts';
export { openPrePlanning } from '../planning/open-pre-planning.ts';
export { assembleRuns } from './assemble-runs.ts';
