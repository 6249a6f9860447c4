export { assembleRuns } from '../assemble-runs.ts';
export { createEarlierRuns, type EarlierRuns } from '../past/earlier-runs.ts';
export { openPrePlanning } from '../pre-plan/open-pre-planning.ts';
export type { ModelWatch } from '../run/watch-model.ts';
export { createOpenRunModels, findContextLength } from '../spending/run-models.ts';
