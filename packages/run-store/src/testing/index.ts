export { type EarlierRun, writeEarlierRun } from './earlier-run.ts';
export { indexedRun, openHouse, task } from './index-setup.ts';
export { openRunState } from './open-run-state.ts';
export { makeDirectory, newRun, parseMessage } from './store-setup.ts';
