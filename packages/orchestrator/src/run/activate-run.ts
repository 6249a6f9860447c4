import { parseTaskKeyJson } from '@agent/platforms';
import type { OpenRun, RunControls } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { createAcknowledgements } from '../inbox/create-acknowledgements.ts';
import { parseLineage } from '../past/run-lineage.ts';
import type { RunLogger } from '../ports.ts';
import type { ConfiguredPlatform, Run } from './run.ts';
import { createRunAudience, overheardBy, writingFor } from './run-audience.ts';
import { createRunControl, type RunControl, type SignalChecks } from './run-control.ts';
import { nameRun, parseFactsJson } from './run-facts.ts';
import { type OpenedThread, openRunThread } from './run-thread.ts';

export interface ActivateOptions {
  readonly controls: RunControls;
  /** While this file exists, runs pause and none begins. */
  readonly pauseSignalFile: string;
  readonly checks: SignalChecks;
  /** True where reactions show people what became of their comments. */
  readonly reactions: boolean;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  readonly logger: RunLogger;
}

export interface OpenedRun {
  readonly open: OpenRun<ModelMessage>;
  readonly platform: ConfiguredPlatform;
  /** The thread, where the caller has opened it already. */
  readonly thread?: OpenedThread;
}

/** A run that this process holds, ready to be carried. */
export interface HeldByProcess
  extends Pick<OpenRun<ModelMessage>, 'finalSummary' | 'crashesInARow' | 'leave'> {
  readonly run: Run;
  /** Hears what is asked of this run from outside. */
  readonly control: RunControl;
}

export type Activate = (opened: OpenedRun) => HeldByProcess;

/** Creates what makes a run of an open directory: everything it needs comes from its metadata. */
export function createActivate(options: ActivateOptions): Activate {
  const { controls, pauseSignalFile, checks, reactions, shutdown, now } = options;
  return ({ open, platform, thread }) => {
    const { uuid, extra, taskKey, createdAt: startedAt } = open.metadata;
    const { journal, state, finalSummary, crashesInARow, leave } = open;
    const facts = parseFactsJson(extra);
    const { ports, comments, meter } = thread ?? openRunThread(platform, parseTaskKeyJson(taskKey));
    const audience = createRunAudience(state);
    const logger = options.logger.child({ task: nameRun(facts, platform.platform), run: uuid.slice(0, 8) });
    const control = createRunControl({
      uuid,
      controls,
      pauseSignalFile,
      assignment: {
        reader: ports.reader,
        assigned: facts.assigned,
        ownAccount: () => platform.platform.identity.whoAmI(),
      },
      checks,
      now,
      logger,
    });
    const runThread = {
      platform,
      ports: { ...ports, writer: writingFor(audience, ports.writer) },
      comments: overheardBy(audience, comments),
      meter,
      audience,
      acknowledgements: createAcknowledgements({
        reactions: reactions ? ports.reactions : null,
        shutdown,
        logger,
      }),
    };
    const lineage = parseLineage(open.metadata);
    const run = { uuid, facts, lineage, startedAt, thread: runThread, journal, state, logger };
    return { run, control, finalSummary, crashesInARow, leave };
  };
}
