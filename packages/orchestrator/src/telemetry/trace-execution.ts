import { z } from 'zod';
import { DeferredError } from '../intents/call-with-retry.ts';
import { type ExecuteRun, toBoardTask } from '../lifecycle/execute.ts';
import type { Run } from '../run/run.ts';
import type { RunTelemetry, TraceRecord } from './run-telemetry.ts';

/** Traces what carries runs: each time that a run is taken up is a part of its trace, also when it was deferred before. */
export function traceExecution(execute: ExecuteRun, { carry }: Pick<RunTelemetry, 'carry'>): ExecuteRun {
  const carryPart = async (run: Run, part: Part): Promise<void> => {
    const { uuid, startedAt } = run;
    const { name, url } = toBoardTask(run);
    const { resumed, work } = part;
    try {
      await carry({ uuid, name, url, startedAt, resumed, record: createTraceRecord(run) }, work);
    } catch (error) {
      if (!(error instanceof DeferredError)) throw error;
      const work = error.again;
      const again = work && (() => carryPart(run, { resumed: true, work }));
      throw new DeferredError(again, { cause: error.cause, waitMs: error.waitMs });
    }
  };
  return (held, snapshot) =>
    carryPart(held.run, { resumed: snapshot === null, work: () => execute(held, snapshot) });
}

interface Part {
  readonly resumed: boolean;
  readonly work: () => Promise<void>;
}

const factName = 'trace';
const factSchema = z.object({ traceparent: z.string() });

/** Keeps the trace of a run in its journal. A failure is logged: the run goes on, and is not one trace. */
function createTraceRecord({ journal, logger }: Pick<Run, 'journal' | 'logger'>): TraceRecord {
  return {
    read: async () => {
      try {
        for await (const entry of journal.read({ facts: [factName] })) {
          if (entry.type !== 'fact' || entry.name !== factName) continue;
          return factSchema.parse(entry.data).traceparent;
        }
      } catch (error) {
        logger.warn({ err: error }, 'failed to read trace; starting a new one');
      }
      return null;
    },
    write: async (traceparent) => {
      try {
        await journal.append({ type: 'fact', name: factName, data: { traceparent } });
      } catch (error) {
        logger.warn({ err: error }, 'failed to save trace');
      }
    },
  };
}
