import type { CallOptions } from '@agent/platforms';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import {
  client,
  type InitializeResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import { sleepBySystem, withTimeout } from '../call-limits.ts';
import type { Sleep } from '../run-options.ts';
import { chooseSteering, type SteeringWay } from './acp-options.ts';
import { AgentFailure } from './executor.ts';
import type { StartAgent } from './start-agent.ts';

/** Facts that an agent tells of itself before it has a session. */
export interface AgentFacts {
  /** Null where it does not say. */
  readonly name: string | null;
  readonly version: string | null;
  /** Way in which a running turn is told something. */
  readonly steering: SteeringWay;
  /** True where it can be asked what its conversation holds, also after a kill. */
  readonly loadsSessions: boolean;
}

/** Options of `examineAgent`. */
export interface ExamineAgentOptions extends CallOptions {
  readonly start: StartAgent;
  /** Milliseconds that it may take to start and to answer. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Default the system's timer. */
  readonly sleep?: Sleep | undefined;
}

const expectations: ExpectationsOf<ExamineAgentOptions> = {
  start: expected.function,
  timeoutMs: expectNumber(0),
  sleep: expected.function,
  signal: expected.signal,
};

/**
 * Starts an agent, asks it what it is (`initialize`), and ends it. No session is begun, and its model is not asked.
 *
 * @throws AgentFailure where it ends, is silent, refuses, or speaks another version of the protocol; what `start` rejects with
 */
export async function examineAgent(options: ExamineAgentOptions): Promise<AgentFacts> {
  checkOptions('ExamineAgentOptions', options, expectations, ['start']);
  const { start, signal, timeoutMs = 60_000, sleep = sleepBySystem } = options;
  const process = await start();
  const ended = process.ended.then((how) => {
    throw new AgentFailure(`The agent exited: ${how}.`, { code: 'ended' });
  });
  const connected = client({ name: 'agent-runner' }).connect(ndJsonStream(process.input, process.output));
  const request = {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'agent-runner', version: '0.0.0' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  };
  const answer = connected.agent.request<InitializeResponse>(methods.agent.initialize, request);
  answer.catch(() => undefined);
  try {
    // Its output ends before the process does, which says why.
    const told = answer.catch((error: unknown) =>
      Promise.race([ended, sleep(2_000, {}).then(() => Promise.reject(refused(error)))]),
    );
    const result = await withTimeout(() => Promise.race([told, ended]), { timeoutMs, sleep, signal });
    if (result.kind !== 'done')
      throw new AgentFailure(`The agent did not answer within ${Math.round(timeoutMs / 1_000)} seconds.`, {
        code: 'silent',
      });
    return toFacts(result.value);
  } finally {
    await process.end();
    connected.close();
    await ended.catch(() => undefined);
  }
}

function refused(cause: unknown): AgentFailure {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new AgentFailure(`The agent refused a request: ${said}`, { code: 'refused', cause });
}

function toFacts(initialized: InitializeResponse): AgentFacts {
  const { protocolVersion, agentInfo, agentCapabilities } = initialized;
  if (protocolVersion !== PROTOCOL_VERSION)
    throw new AgentFailure(
      `The agent speaks version ${protocolVersion} of the Agent Client Protocol; this program speaks ${PROTOCOL_VERSION}.`,
      { code: 'refused' },
    );
  return {
    name: agentInfo?.name ?? null,
    version: agentInfo?.version ?? null,
    steering: chooseSteering(initialized),
    loadsSessions: agentCapabilities?.loadSession === true,
  };
}
