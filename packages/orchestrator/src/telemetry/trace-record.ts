import { z } from 'zod';
import type { Run } from '../run/run.ts';
import type { TraceRecord } from './run-telemetry.ts';

const factName = 'trace';
const factSchema = z.object({ traceparent: z.string() });

/** Keeps the trace of a run in its journal. A failure is logged: the run goes on, and is not one trace. */
export function createTraceRecord({ journal, logger }: Pick<Run, 'journal' | 'logger'>): TraceRecord {
  return {
    read: async () => {
      try {
        for await (const entry of journal.read()) {
          if (entry.type !== 'fact' || entry.name !== factName) continue;
          return factSchema.parse(entry.data).traceparent;
        }
      } catch (error) {
        logger.warn({ err: error }, 'the trace of the run could not be read; it goes on in another one');
      }
      return null;
    },
    write: async (traceparent) => {
      try {
        await journal.append({ type: 'fact', name: factName, data: { traceparent } });
      } catch (error) {
        logger.warn({ err: error }, 'the trace of the run could not be kept');
      }
    },
  };
}
