import { deriveServiceState, type ServiceState, type TaskBoard } from '@agent/orchestrator';

/** State of a service whose only process has this board. */
export function serviceOf({ state }: Pick<TaskBoard, 'state'>): ServiceState {
  const { conditions, holds, running, ending: isEnding } = state;
  const own = {
    ...{ number: 1, host: 'here', role: 'both' as const, version: null, startedAt: 0, concurrency: 1 },
    ...{ running: running.size, conditions: [...conditions.values()], holds, isEnding },
  };
  return deriveServiceState({ members: [], reports: [], pause: null, isShared: false, own, now: 1_000 });
}
