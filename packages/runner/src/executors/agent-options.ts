import { type ExpectationsOf, expectNullable, expectNumber, expectPort } from '@agent/text/options';
import type { CallSpending } from '../usage.ts';
import type { Executor } from './executor.ts';

/** Settings of a run that an agent works on. */
export interface AgentSettings {
  /** Milliseconds between two checkpoints while the agent says nothing. Default 5,000. */
  readonly checkIntervalMs?: number | undefined;
  /** Times in a row that the agent may end without having done anything. Default 3. */
  readonly maxDeaths?: number | undefined;
  /** Turns in a row that the agent may fail to take, as when its model cannot be asked, with pauses of 5 s to 10 min between them. Default 10. */
  readonly maxTurnFailures?: number | undefined;
  /** Permissions that may be refused in one turn, or over turns that refusals end. Default 50. */
  readonly maxRefusals?: number | undefined;
  /** Pays for what the agent tells that it spends; one that does not tell it ends the run. Default null: costs are not limited. */
  readonly spending?: CallSpending | null | undefined;
}

/** An agent for a run, and how it is dealt with. */
export interface AgentOptions extends AgentSettings {
  readonly executor: Executor;
}

/** Conditions of the options of an agent. */
export const agentExpectations: ExpectationsOf<AgentOptions> = {
  executor: expectPort('open', 'turn', 'steer', 'close'),
  checkIntervalMs: expectNumber(0),
  maxDeaths: expectNumber(0),
  maxTurnFailures: expectNumber(0),
  maxRefusals: expectNumber(0),
  spending: expectNullable(expectPort('reserve')),
};
