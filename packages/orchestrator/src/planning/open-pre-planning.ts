import type { AnswerSource, EndpointCapabilities } from '@agent/pre-planning';
import type { PrePlanningConfig } from '@agent/pre-planning/config';
import type { Redact } from '@agent/text/outgoing';
import type { RunLogger } from '../host/ports.ts';
import type { RunModels } from '../models/run-models.ts';

/** Everything that runs of this process share to pre-plan. */
export interface PrePlanning {
  readonly config: PrePlanningConfig;
  /** Asks the models of a run; what their endpoint can do is found out once for all runs. */
  readonly openSource: (models: Pick<RunModels, 'planning' | 'planningChat'>) => AnswerSource;
}

export interface OpenPrePlanningOptions {
  /** Window of the model that plans, in tokens. */
  readonly contextLength: number;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly hideKnownSecrets: Redact;
  readonly logger: RunLogger;
}

/** Null where runs begin at once. */
export async function openPrePlanning(
  config: PrePlanningConfig | null,
  options: OpenPrePlanningOptions,
): Promise<PrePlanning | null> {
  if (config === null) return null;
  const { createStructuredOutput } = await import('@agent/pre-planning');
  const { ContextWindow } = await import('@agent/runner');
  const { contextLength, logger } = options;
  const window = new ContextWindow({ contextLength, logger });
  let known: EndpointCapabilities = {};
  return {
    config,
    openSource: ({ planning: model, planningChat: chatModel }) => {
      const source = createStructuredOutput({ ...options, window, model, chatModel, known });
      return {
        ask: (question) =>
          source.ask(question).finally(() => {
            known = source.capabilities();
          }),
      };
    },
  };
}
