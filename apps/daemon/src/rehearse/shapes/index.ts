export { compareRehearsal } from './compare-rehearsal.ts';
export { openShapes, recorderArguments } from './open-shapes.ts';
