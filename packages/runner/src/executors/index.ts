export { createAcpExecutor } from './acp-executor.ts';
export type { AcpExecutorOptions, SteeringWay } from './acp-options.ts';
export type { AgentOptions, AgentSettings } from './agent-options.ts';
export {
  AgentFailure,
  type AgentFailureCode,
  type AgentToolCall,
  type Executor,
  type ExecutorEvent,
  type OpenedSession,
  type OpenOptions,
  type PlanStep,
  type TurnEnd,
} from './executor.ts';
export type { PermissionRules } from './permission-policy.ts';
export { type AgentTaskOptions, runAgentTask } from './run-agent-task.ts';
export { type AgentProcess, type AgentProgram, type StartAgent, startAgentProcess } from './start-agent.ts';
