import { runTask } from '@agent/runner';
import { createFastClock } from '../place.ts';
import { openModel, openPlace, sleepFast, work } from './open-place.ts';
import { carryRun } from './open-record.ts';

const place = openPlace();
const clock = { now: createFastClock(place.epoch), sleep: sleepFast };
await carryRun(place, (parts) => runTask({ ...parts, ...clock, model: openModel(place), tools: { work } }));
