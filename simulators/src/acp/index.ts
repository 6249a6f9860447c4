export type { AgentScript, AgentScriptInput } from './agent-script.ts';
export { installAgent } from './install-agent.ts';
export { findOpencode, installOpencode, opencodeVersion, toOpencodeEnvironment } from './opencode.ts';
export { type RealAgent, realAgents } from './real-agents.ts';
export {
  type AgentInProcess,
  type ScriptedAgentOptions,
  scriptedAgentCommand,
  scriptedDeath,
  startAgentInProcess,
} from './scripted-agent.ts';
export { openSessionFiles, type SessionFiles, type SessionRecord } from './session-files.ts';
