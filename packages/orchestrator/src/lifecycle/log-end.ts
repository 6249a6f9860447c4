import type { ModelMessage } from 'ai';
import { toToolName } from '../outcome/error-class.ts';
import type { Run } from '../run/run.ts';
import type { JudgedOutcome } from '../run/run-ending.ts';

/** What is known of an end beside its outcome. */
export interface EndCircumstances {
  /** Class of its failure; null if it did not fail. */
  readonly errorClass: string | null;
  /** Tool of the last call; null if there was none. */
  readonly tool: string | null;
}

/** Finds out from the record of a run what its end is logged with, so that a restart does not change it. */
export async function readCircumstances(
  { journal, logger }: Pick<Run, 'journal' | 'logger'>,
  { errorClass = null }: Pick<JudgedOutcome, 'errorClass'>,
): Promise<EndCircumstances> {
  let tool: string | null = null;
  try {
    for await (const entry of journal.read({ facts: [] }))
      if (entry.type === 'message') tool = findLastCall(entry.message) ?? tool;
  } catch (err) {
    logger.debug({ err }, 'failed to read last tool of run');
  }
  return { errorClass, tool: tool === null ? null : toToolName(tool) };
}

function findLastCall({ role, content }: ModelMessage): string | null {
  if (role !== 'assistant' || typeof content === 'string') return null;
  return content.findLast((part) => part.type === 'tool-call')?.toolName ?? null;
}

/** Logs an end, once: why, at which step and tool, and where. `failed` and `partial` are warnings. */
export function logEnd(
  { logger, facts }: Pick<Run, 'logger' | 'facts'>,
  { status, reason, statistics, error }: JudgedOutcome,
  { errorClass, tool }: EndCircumstances,
): void {
  const { modelCalls: step, toolCalls, durationMs } = statistics;
  const level = status === 'failed' || status === 'partial' ? 'warn' : 'info';
  logger[level](
    {
      ...{ status, reason, error_class: errorClass, step, tool, toolCalls, durationMs, url: facts.url },
      ...(error === undefined ? {} : { err: error }),
    },
    'run ended',
  );
}
