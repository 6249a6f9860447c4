export type { AgentScript, AgentScriptInput } from './agent-script.ts';
export {
  type AgentInProcess,
  type ScriptedAgentOptions,
  scriptedAgentCommand,
  scriptedDeath,
  startAgentInProcess,
} from './scripted-agent.ts';
export { openSessionFiles, type SessionFiles, type SessionRecord } from './session-files.ts';
