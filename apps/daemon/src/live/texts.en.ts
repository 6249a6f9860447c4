import type { PlanStage } from '@agent/orchestrator';

/** Texts of the live view in English. */
export const en = {
  step: (step: number) => `step ${step}`,
  preparing: 'preparing',
  model: 'model call',
  agent: 'agent turn',
  working: 'working',
  tokens: 'tokens',
  understanding: 'Analyzing the task...',
  collection_planning: 'Planning what to look up...',
  collection: 'Collecting information...',
  assumption: 'Making assumptions...',
  plan: ({ phase, done, total }: PlanStage) => `${phase} ${done}/${total}`,
  more: (count: number) => `… and ${count} more`,
};

export type LiveTexts = typeof en;
