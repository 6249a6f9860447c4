import type { StorageNotes } from '@agent/run-store';
import { z } from 'zod';
import type { RunLogger } from '../ports.ts';

const entrySchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Name of whoever acted, or tried to. */
  actor: z.string(),
  action: z.string(),
  /** Run or thread that it was about; null for what is about none. */
  target: z.string().nullable(),
  outcome: z.enum(['accepted', 'refused', 'failed']),
  reason: z.string().nullable(),
});

/** Line of the audit log. */
export type AuditEntry = Readonly<z.infer<typeof entrySchema>>;

/** Log of what people did on a page, or tried to do. */
export interface AuditLog {
  /** Resolves once the entry is kept. */
  readonly append: (entry: AuditEntry) => Promise<void>;
  /** The latest first, of this month and the ones before it. */
  readonly list: (options: { readonly limit: number }) => Promise<readonly AuditEntry[]>;
}

const schema = z
  .array(entrySchema)
  .nullable()
  .transform((kept) => kept ?? []);

/** Months that `list` goes back. */
const listedMonths = 12;

/** Keeps the log in a note for each month, for every process of a place; nothing takes a line out. Each entry is logged, too. */
export function createAuditLog(
  notes: Pick<StorageNotes, 'read' | 'change'>,
  {
    logger,
    now = Date.now,
  }: { readonly logger: Pick<RunLogger, 'info'>; readonly now?: (() => number) | undefined },
): AuditLog {
  return {
    append: async (entry) => {
      await notes.change(toNote(new Date(entry.at)), (value) => [...schema.parse(value), entry]);
      logger.info({ ...entry }, 'recorded audit entry');
    },
    list: async ({ limit }) => {
      const found: AuditEntry[] = [];
      for (const month of listMonths(now())) {
        found.push(...schema.parse(await notes.read(toNote(month))).toReversed());
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },
  };
}

function toNote(date: Date): string {
  return `audit/${date.toISOString().slice(0, 7)}`;
}

function listMonths(now: number): readonly Date[] {
  const today = new Date(now);
  return Array.from(
    { length: listedMonths },
    (_, back) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)),
  );
}
