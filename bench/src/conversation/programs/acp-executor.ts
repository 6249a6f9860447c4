import { runAgentTask } from '@agent/runner/executors';
import { createFastClock, speed } from '../place.ts';
import { openAgent } from './open-agent.ts';
import { openPlace, sleepFast } from './open-place.ts';
import { carryRun } from './open-record.ts';

const place = openPlace();
// The executor's own interval of 5 seconds, by the fast clock.
const clock = { now: createFastClock(place.epoch), sleep: sleepFast, checkIntervalMs: 5_000 };
// opencode takes seconds of its own, which are not fast.
const limits = { maxSteps: null };
await carryRun(place, (parts) =>
  runAgentTask({ ...parts, ...clock, limits, stepTimeoutMs: 600_000 * speed, executor: openAgent(place) }),
);
