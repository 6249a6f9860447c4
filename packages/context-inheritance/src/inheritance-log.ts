import type { Locale, Logger } from '@agent/text';
import { shortenUuid } from './format-values.ts';
import type { SkipReason, StaleDecision } from './model.ts';
import type { RunSelection } from './select-runs.ts';
import { inheritanceTexts } from './texts.ts';

/** Log lines of inheritance: none without a logger, and never a summary's text. */
export interface InheritanceLog {
  readonly searching: (task: string) => void;
  readonly filtered: (selection: RunSelection) => void;
  readonly detected: (count: number, task: string) => void;
  readonly used: (values: { uuid: string; depth: number; tokens: number }) => void;
  readonly skipped: (uuid: string, reason: SkipReason, err?: unknown) => void;
  readonly stale: (decisions: readonly StaleDecision[]) => void;
  readonly damagedLines: (uuid: string, count: number) => void;
  readonly searchFailed: (task: string, err: unknown) => void;
}

/** @see seed 002 §12.1 */
export function createInheritanceLog(logger: Logger | null, locale: Locale): InheritanceLog {
  const texts = inheritanceTexts[locale].log;
  return {
    searching: (task) => logger?.debug({ task }, texts.searching(task)),
    filtered: ({ eligible, refused }) =>
      logger?.debug({ refused }, texts.filtered(eligible.length, eligible.length + refused.length)),
    detected: (count, task) => logger?.info({ task }, texts.detected(count, task)),
    used: ({ uuid, depth, tokens }) =>
      logger?.info({ uuid, depth, tokens }, texts.used(shortenUuid(uuid), depth, tokens)),
    skipped: (uuid, reason, err) =>
      logger?.warn(
        { uuid, reason, ...(err === undefined ? {} : { err }) },
        texts.skipped(shortenUuid(uuid), texts.skipReasons[reason]),
      ),
    stale: (decisions) => {
      for (const { runUuid, source, reason } of decisions) {
        const commentId = source?.commentId ?? '';
        const line = texts.stale(shortenUuid(runUuid), commentId, reason === 'deleted');
        logger?.warn({ uuid: runUuid, commentId, reason }, line);
      }
    },
    damagedLines: (uuid, count) => {
      if (count > 0) logger?.warn({ uuid, count }, texts.damagedLines(shortenUuid(uuid), count));
    },
    searchFailed: (task, err) => logger?.error({ task, err }, texts.searchFailed(task, messageOf(err))),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
