import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAcpExecutor, type Executor, startAgentProcess } from '@agent/runner/executors';
import { type AgentScriptInput, scriptedAgentCommand } from '@agent/simulators/acp';
import { toOpencodeEnvironment } from '@agent/simulators/real-agents';
import { agentIdFile, type Place } from '../place.ts';

/** Opens the agent of a place; its process leads a group, whose number is noted for whoever ends it. */
export function openAgent(place: Place): Executor {
  const { agent, directory } = place;
  if (agent === null) throw new Error('This program needs an agent.');
  const [home, workDirectory] = [join(directory, 'home'), join(directory, 'work')];
  for (const path of [home, workDirectory]) mkdirSync(path, { recursive: true });
  const { command, args, environment } =
    agent.kind === 'opencode'
      ? { command: agent.command, args: ['acp'], environment: toOpencodeEnvironment(place) }
      : { ...toScripted(place, agent.steering), environment: {} };
  const note = ['-c', 'echo $$ > "$AGENT_ID_FILE"; exec "$0" "$@"', command, ...args];
  const own = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    AGENT_ID_FILE: join(directory, agentIdFile),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  };
  const start = () =>
    startAgentProcess({
      ...{ command: '/bin/sh', args: note, directory: workDirectory, graceMs: 0 },
      environment: { ...own, ...environment },
    });
  const steering = agent.kind === 'opencode' ? 'prompt' : agent.steering;
  return createAcpExecutor({ start, steering, rules: { directory: workDirectory, isSandboxed: true } });
}

function toScripted({ directory, turns, baseUrl }: Place, way: 'steering' | 'prompt' | 'cancel') {
  const steering = way === 'cancel' ? 'none' : way;
  const script: AgentScriptInput = { calls: turns - 1, steering, model: baseUrl };
  return scriptedAgentCommand({ directory: join(directory, 'sessions'), script });
}
