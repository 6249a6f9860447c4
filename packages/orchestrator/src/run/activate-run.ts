import { parseTaskKeyJson } from '@agent/platforms';
import type { OpenRun } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { createAcknowledgements } from '../inbox/create-acknowledgements.ts';
import { parseLineage } from '../past/run-lineage.ts';
import type { ActiveRun, ConfiguredPlatform, RunParts } from './run.ts';
import { createRunAudience, overheardBy, writingFor } from './run-audience.ts';
import { createRunControl } from './run-control.ts';
import { nameRun, parseFactsJson } from './run-facts.ts';
import { type OpenedThread, openRunThread } from './run-thread.ts';

export interface OpenedRun {
  readonly open: OpenRun<ModelMessage>;
  readonly platform: ConfiguredPlatform;
  /** The thread, where the caller has opened it already. */
  readonly thread?: OpenedThread;
}

/** Makes a run whose directory is open ready to be carried: everything it needs comes from its metadata. */
export function activateRun(parts: RunParts, { open, platform, thread }: OpenedRun): ActiveRun {
  const { uuid, extra, taskKey, createdAt: startedAt } = open.metadata;
  const facts = parseFactsJson(extra);
  const key = parseTaskKeyJson(taskKey);
  const { ports, comments, meter } = thread ?? openRunThread(platform, key);
  const audience = createRunAudience(open.state);
  const logger = parts.logger.child({ task: nameRun(facts, platform.platform), run: uuid.slice(0, 8) });
  const control = createRunControl({
    uuid,
    controls: parts.controls,
    pauseSignalFile: parts.pauseSignalFile,
    reader: ports.reader,
    assigned: facts.assigned,
    ownAccount: () => platform.platform.identity.whoAmI(),
    settings: parts.config,
    now: parts.now,
    logger,
  });
  const acknowledgements = createAcknowledgements({
    reactions: parts.config.comment_detection.reactions ? ports.reactions : null,
    shutdown: parts.shutdown,
    logger,
  });
  const { journal, state, finalSummary, crashesInARow, leave } = open;
  return {
    uuid,
    key,
    platform,
    thread: { ...ports, writer: writingFor(audience, ports.writer) },
    comments: overheardBy(audience, comments),
    audience,
    acknowledgements,
    journal,
    state,
    finalSummary,
    facts,
    lineage: parseLineage(open.metadata),
    startedAt,
    meter,
    control,
    crashesInARow,
    leave,
    logger,
  };
}
