import type { PlanStage } from '@agent/orchestrator';

/** Words of the live view. */
export const en = {
  step: (step: number) => `step ${step}`,
  preparing: 'preparing',
  model: 'asking the model',
  agent: 'the agent works',
  working: 'working',
  tokens: 'tokens',
  understanding: 'Analyzing the task...',
  collection_planning: 'Deciding what to find out...',
  collection: 'Collecting information...',
  assumption: 'Assuming what is missing...',
  plan: ({ phase, done, total }: PlanStage) => `${phase} ${done}/${total}`,
  more: (count: number) => `… and ${count} more`,
};

export type LiveTexts = typeof en;
