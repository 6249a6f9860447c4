export type { AgentReply } from './agent-dialects.ts';
export { followSteps, type ScriptStep } from './follow-steps.ts';
export type { Misbehavior } from './misbehavior.ts';
export type { FaultyModelCall, FaultyModelRequest, ModelFault, ModelReaction } from './model-reaction.ts';
export type { ConversationView, Script, ScriptedCall, ScriptedReply, ToolExchange } from './script.ts';
export type { ModelRequest, ScriptedModel, ScriptedModelOptions } from './scripted-model.ts';
export { type AgentModel, type AgentModelRequest, startAgentModel } from './start-agent-model.ts';
export { type FaultyModel, type FaultyModelOptions, startFaultyModel } from './start-faulty-model.ts';
export { startScriptedModel } from './start-scripted-model.ts';
export { type PreparationQuestion, toPreparationQuestion } from './to-preparation-question.ts';
export {
  asksForSummary,
  type ScriptedDecision,
  type ScriptedSummary,
  withFinalSummaries,
} from './with-final-summaries.ts';
