import type { RunEnding } from '../ending.ts';
import type { Run } from '../run.ts';
import type { AgentStep } from './agent-step.ts';
import { AgentFailure } from './executor.ts';

/** A turn that runs. */
export interface TurnUnderWay {
  readonly step: AgentStep;
  /** Ending of the run, for which the turn is canceled, or that another one is to follow for last words; null while it goes on. */
  ending: RunEnding | 'last-words' | null;
  lateCalls: number;
  /** True once the agent said or did something. */
  hasActed: boolean;
  lastSignAt: number;
  /** Calls that run, by their ids: an agent may have nothing to say while they do. */
  readonly openCalls: Map<string, string>;
}

/** @throws AgentFailure where the agent said nothing for longer than a step, or a call that runs, may take */
export function checkSilence(
  { settings, requests, calls }: Run,
  { lastSignAt, openCalls }: TurnUnderWay,
): void {
  const [tool = null] = openCalls.values();
  const limitMs = tool === null ? requests.stepTimeoutMs : calls.toolTimeoutMs;
  if (settings.now() - lastSignAt < limitMs) return;
  const during = tool === null ? '' : ` while "${tool}" ran`;
  const said = `it said nothing for ${Math.round(limitMs / 1_000)} s${during}`;
  throw new AgentFailure('The agent said nothing for too long.', { code: 'silent', said });
}
