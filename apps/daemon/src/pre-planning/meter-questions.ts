import type { AnswerSource } from '@agent/pre-planning';
import type { RunEvent } from '@agent/runner';
import type { DaemonLogger } from '../log/logger.ts';
import type { CostMeter } from './create-cost-meter.ts';

export interface MeteredQuestions {
  readonly meter: CostMeter;
  /** Hears of each answer as of a step of the run. */
  readonly onEvent: (event: RunEvent) => void;
  /** Told what each answer cost, and how it was had. */
  readonly logger: Pick<DaemonLogger, 'info'>;
  /** Keeps what was counted. */
  readonly keep: () => Promise<void>;
}

/** The same source; what each answer cost is counted, and kept before anything is made of the answer. */
export function meterQuestions(
  source: AnswerSource,
  { meter, onEvent, logger, keep }: MeteredQuestions,
): AnswerSource {
  return {
    ask: async (question) => {
      let kept = Promise.resolve();
      onEvent({ type: 'step-start', step: meter.read().modelCalls + 1 });
      const reply = await source.ask({
        ...question,
        onCall: (call) => {
          question.onCall?.(call);
          logger.info({ question: question.name, ...call }, 'the model was asked to get the run ready');
          const { inputTokens, outputTokens } = call;
          const usage = { inputTokens, outputTokens };
          meter.countAnswer(usage);
          onEvent({ type: 'model-answer', step: meter.read().modelCalls, text: '', tools: [], usage });
          kept = keep();
        },
      });
      await kept;
      return reply;
    },
  };
}
