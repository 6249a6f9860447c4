import type { RunStorage, StorageNotes } from '@agent/run-store';
import { formatTime } from '@agent/text';
import { z } from 'zod';
import type { RunLogger } from '../host/ports.ts';

const entrySchema = z.object({
  /** Identifies the act: an entry that is written again replaces the earlier one. */
  id: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Name of the user. */
  actor: z.string(),
  /** Where the act was requested: web UI, command line, or a comment. */
  via: z.enum(['web', 'cli', 'comment']),
  action: z.string(),
  /** Name of the task, such as `acme/shop#42`, or of another object; null if the act has none. */
  target: z.string().nullable(),
  /** Run that the act is about; null if it is about no run. */
  run: z.string().nullable(),
  /** `started`: the act had no result yet when the entry was written. */
  outcome: z.enum(['started', 'accepted', 'refused', 'failed']),
  reason: z.string().nullable(),
});

/** Act of a user in the audit log. */
export type AuditEntry = Readonly<z.infer<typeof entrySchema>>;

/** Log of what users did, or tried to do. */
export interface AuditLog {
  /** Adds an entry, or replaces the entry with the same id and time. Resolves once it is stored. */
  readonly write: (entry: AuditEntry) => Promise<void>;
  /** Lists the latest entries first, of the last twelve months. */
  readonly list: (options: AuditQuery) => Promise<readonly AuditEntry[]>;
}

export interface AuditQuery {
  readonly limit: number;
  /** Default: of all runs and of none. */
  readonly run?: string | undefined;
  /** Name of the user, with or without `@`, in any case. Default: of all users. */
  readonly user?: string | undefined;
  /** Name of the task, in any case, or the beginning of the id of its run. Default: of all tasks. */
  readonly task?: string | undefined;
  /** Part of the target, the action or the reason, in any case. Default: any. */
  readonly text?: string | undefined;
  /** Day of a zone, such as `2026-11-30`. Default: all days. */
  readonly day?: { readonly name: string; readonly timeZone: string } | undefined;
  /** Milliseconds since 1970. Default: twelve months ago. */
  readonly since?: number | undefined;
}

const schema = z
  .array(entrySchema)
  .nullable()
  .transform((kept) => kept ?? []);

/** Months that `list` goes back. */
const listedMonths = 12;

/** Stores the log in a note for each month, for all processes of a storage. Entries are never deleted. Each result is logged, too. */
export function createAuditLog(
  notes: AuditNotes,
  { logger, now = Date.now }: { readonly logger: AuditLogger; readonly now?: (() => number) | undefined },
): AuditLog {
  return {
    write: async (entry) => {
      await notes.change(toNote(new Date(entry.at)), (value) => {
        const entries = schema.parse(value);
        const at = entries.findLastIndex(({ id }) => id === entry.id);
        return at === -1 ? [...entries, entry] : entries.with(at, entry);
      });
      if (entry.outcome !== 'started') logger.info({ ...entry }, 'recorded audit entry');
    },
    list: async ({ limit, ...query }) => {
      const { since = 0 } = query;
      const isWanted = toFilter(query);
      const found: AuditEntry[] = [];
      for (const month of listMonths(now())) {
        const entries = schema.parse(await notes.read(toNote(month))).toReversed();
        found.push(...entries.filter(isWanted));
        if (found.length >= limit || month.getTime() <= since) break;
      }
      return found.slice(0, limit);
    },
  };
}

/** Characters of the id of a run that name it, at least. */
const minIdChars = 4;

function toFilter({
  run,
  user,
  task,
  text,
  day,
  since = 0,
}: Omit<AuditQuery, 'limit'>): (entry: AuditEntry) => boolean {
  const name = user?.trim().replace(/^@/, '').toLowerCase();
  const wanted = task?.trim().toLowerCase();
  const part = text?.trim().toLowerCase() ?? '';
  const isTask = ({ target, run: uuid }: AuditEntry): boolean =>
    wanted === undefined ||
    target?.toLowerCase() === wanted ||
    (wanted.length >= minIdChars && uuid?.startsWith(wanted) === true);
  return (entry) =>
    entry.at >= since &&
    (run === undefined || entry.run === run) &&
    (name === undefined || entry.actor.replace(/^@/, '').toLowerCase() === name) &&
    isTask(entry) &&
    [entry.target, entry.action, entry.reason].some((one) => (one ?? '').toLowerCase().includes(part)) &&
    (day === undefined || formatTime(new Date(entry.at), day.timeZone).startsWith(day.name));
}

/** Notes, as far as the log uses them. */
export type AuditNotes = Pick<StorageNotes, 'read' | 'change'>;

type AuditLogger = Pick<RunLogger, 'info'>;

/** Verifies the log of every month. Each fault names the place, what is wrong with it and what to do. */
export async function listAuditFaults({
  notes,
  transfer,
}: Pick<RunStorage, 'notes' | 'transfer'>): Promise<readonly string[]> {
  const names = ((await transfer?.listNotes()) ?? []).filter((name) => name.startsWith(folder));
  const faults = names.map(async (name) => {
    const value = await notes.read(name).catch(() => null);
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    if (issue === undefined) return [];
    const place = `Entry ${Number(issue.path[0] ?? 0) + 1} of the audit log "${notes.locate(name)}"`;
    return [
      `${place} is not valid (${issue.path.slice(1).join('.')}). Restore it from a backup, or remove this entry.`,
    ];
  });
  return (await Promise.all(faults)).flat();
}

const folder = 'audit/';

function toNote(date: Date): string {
  return `${folder}${date.toISOString().slice(0, 7)}`;
}

function listMonths(now: number): readonly Date[] {
  const today = new Date(now);
  return Array.from(
    { length: listedMonths },
    (_, back) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)),
  );
}
