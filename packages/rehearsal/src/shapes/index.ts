export { compareRehearsal, RehearsalFileError } from './compare-rehearsal.ts';
export { type ModelAnswer, type Reference, toReference } from './find-differences.ts';
export { openShapes, recorderArguments } from './open-shapes.ts';
export { createRecordingFetch } from './recording-fetch.ts';
export { type Rehearsal, rehearsalSchema } from './rehearsal.ts';
export { mergeShapes, type Shape, toBodyShape } from './shape.ts';
export type { ShapeLine } from './shape-line.ts';
export { writeRehearsal } from './write-rehearsal.ts';
