import type { AnswerSource, Question, Reply } from '@agent/pre-planning';
import type { RunEvent } from '@agent/runner';
import type { RunLogger } from '../ports.ts';
import type { CostMeter } from './create-cost-meter.ts';

export interface MeteredQuestions {
  readonly meter: CostMeter;
  /** Whether nothing more may be spent. */
  readonly isUsedUp: () => boolean;
  /** Hears of each answer as of a step of the run. */
  readonly onEvent: (event: RunEvent) => void;
  /** Told what each answer cost, and how it was had. */
  readonly logger: Pick<RunLogger, 'info'>;
  /** Keeps what was counted. */
  readonly keep: () => Promise<void>;
}

/**
 * The same source; what each answer cost is counted, and kept before anything is made of the answer. Where nothing more
 * may be spent, a question has no answer that could be read, and one that could not be is not asked for again.
 */
export function meterQuestions(source: AnswerSource, options: MeteredQuestions): AnswerSource {
  const { meter, isUsedUp, onEvent } = options;
  return {
    ask: async (question) => {
      if (isUsedUp()) return leaveUnanswered(0);
      onEvent({ type: 'step-start', step: meter.read().modelCalls + 1 });
      return ask(question, { ...options, source });
    },
  };
}

async function ask<Answer>(
  question: Question<Answer>,
  { source, meter, isUsedUp, onEvent, logger, keep }: MeteredQuestions & { readonly source: AnswerSource },
): Promise<Reply<Answer>> {
  const spent = new AbortController();
  const { signal } = question;
  const signals = [spent.signal, ...(signal === undefined ? [] : [signal])];
  let calls = 0;
  let kept = Promise.resolve();
  try {
    return await source.ask({
      ...question,
      signal: AbortSignal.any(signals),
      onCall: (call) => {
        calls += 1;
        question.onCall?.(call);
        logger.info({ question: question.name, ...call }, 'the model was asked');
        const { inputTokens, outputTokens } = call;
        const usage = { inputTokens, outputTokens };
        meter.countAnswer(usage);
        onEvent({ type: 'model-answer', step: meter.read().modelCalls, text: '', tools: [], usage });
        kept = keep();
        // An answer that is had is still read.
        if (isUsedUp()) spent.abort();
      },
    });
  } catch (error) {
    if (signal?.aborted || !spent.signal.aborted) throw error;
    return leaveUnanswered(calls);
  } finally {
    await kept;
  }
}

function leaveUnanswered(calls: number): Reply<never> {
  return { status: 'unreadable', problem: 'nothing more may be spent on getting ready', calls };
}
