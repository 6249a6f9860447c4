import { readKeptPrePlanning } from '@agent/orchestrator';
import type { RunState, ToolEntry } from '@agent/run-store';
import type { DaemonLogger } from '../log/logger.ts';

/** A tool that was called, or refused, to get a run ready: what was wanted of it, and what became of it. */
export interface PreparedCall extends Pick<ToolEntry, 'tool' | 'args' | 'timestamp'> {
  readonly infoId: string;
  readonly status: 'success' | 'error';
  /** Real calls, tries included; 0 for one that was refused. */
  readonly calls: number;
  /** Why it gave nothing; null where it did. */
  readonly error: string | null;
}

/**
 * Lists the calls of tools before the first line of a run's journal, from what is kept of that: the journal begins after
 * it. In the order of the plan. @see decision 0011
 */
export async function listPreparedCalls(
  runState: Pick<RunState, 'read'>,
  logger: Pick<DaemonLogger, 'warn'>,
): Promise<readonly PreparedCall[]> {
  const kept = await readKeptPrePlanning(runState, logger);
  if (kept === null) return [];
  const { readPrePlanningState } = await import('@agent/pre-planning');
  const state = readPrePlanningState(kept.state, logger);
  if (state === null) return [];
  const results = new Map(state.collection_results.map((result) => [result.info_id, result]));
  const reasons = new Map(state.failures.map(({ info_id: id, reason }) => [id, reason]));
  const needs = state.collection_plan?.required_information ?? [];
  return needs.flatMap(({ id, collection_method: { tool, parameters } }) => {
    const result = results.get(id);
    if (result === undefined) return [];
    const error = reasons.get(id) ?? null;
    const { timestamp, tool_calls_used: calls } = result;
    const status = error === null ? 'success' : 'error';
    return { infoId: id, tool, args: parameters, status, calls, error, timestamp };
  });
}
