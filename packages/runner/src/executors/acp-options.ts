import type { Logger } from '@agent/text';
import { z } from 'zod';
import type { Sleep } from '../run-options.ts';
import type { PermissionRules } from './permission-policy.ts';
import type { Initialized } from './read-answers.ts';
import type { StartAgent } from './start-agent.ts';

/**
 * Way to tell a running turn something: `steering` by the method `_session/steering`, `prompt` by a second prompt that joins the turn,
 * `cancel` by ending the turn and prompting again, `wait` at the turn's end.
 */
export type SteeringWay = 'steering' | 'prompt' | 'cancel' | 'wait';

/** Options of `createAcpExecutor`. */
export interface AcpExecutorOptions {
  readonly start: StartAgent;
  readonly rules: PermissionRules;
  /** `auto`: by what the agent says that it can, else by what is known of it, else `cancel`. Default `auto`. */
  readonly steering?: SteeringWay | 'auto' | undefined;
  /** Currency in which the agent has to tell what it spends; what it tells in another one counts as not told. Default null: any. */
  readonly currency?: string | null | undefined;
  /** Milliseconds that the agent may take to start, or to load a session. Default 120,000. */
  readonly answerTimeoutMs?: number | undefined;
  /** Milliseconds that it may take to say what became of a message while it works. Default 10,000. */
  readonly steerTimeoutMs?: number | undefined;
  /** Milliseconds that a turn may go on after it was canceled. Default 10,000. */
  readonly cancelTimeoutMs?: number | undefined;
  /** Default the system's timer. */
  readonly sleep?: Sleep | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const steeringSchema = z.object({ _meta: z.object({ steering: z.object({ supported: z.literal(true) }) }) });

/** Agents that take a second prompt into the running turn. Nothing in the protocol says so: it was tried. */
const joiningAgents: ReadonlySet<string> = new Set(['opencode']);

/** Chooses how an agent is told something while it works. */
export function chooseSteering(
  initialized: Pick<Initialized, '_meta' | 'agentCapabilities' | 'agentInfo'>,
): SteeringWay {
  const { agentCapabilities, agentInfo } = initialized;
  if (steeringSchema.safeParse(initialized).success) return 'steering';
  if (steeringSchema.safeParse(agentCapabilities).success) return 'steering';
  return joiningAgents.has(agentInfo?.name.toLowerCase() ?? '') ? 'prompt' : 'cancel';
}
