import { type AuditEntry, createAuditLog } from '@agent/orchestrator/watch';
import { formatTime, mapTexts } from '@agent/text';
import { cleanLine, columnsOf, padColumns } from '../../text/terminal-text.ts';
import type { CommandIo } from '../command-io.ts';
import { openDirectory } from '../open-directory.ts';
import type { CliTexts } from '../texts.en.ts';

/** Options and arguments of the command line. */
export interface AuditFlags {
  readonly config: string;
  /** Name of a user, with or without `@`, in any case. */
  readonly user?: string | undefined;
  /** Task as the log names it, such as `acme/shop#42`, or the beginning of the ID of a run. */
  readonly task?: string | undefined;
  /** Longest time since the act, in milliseconds. */
  readonly since?: number | undefined;
  /** Default 50; with `--json` 1,000. */
  readonly limit?: number | undefined;
  readonly json?: boolean | undefined;
}

const listed = 50;
const listedAsJson = 1_000;

/** `agent-daemon audit`: the acts of users, the latest first, as the web UI lists them. @returns the exit code */
export async function auditCommand(
  { config, user, task, since, limit, json = false }: AuditFlags,
  io: CommandIo,
): Promise<number> {
  const { storage, texts, redact, loaded } = await openDirectory({ config, needs: ['time_zone'] }, io);
  const audit = createAuditLog(storage.notes, { logger: { info: () => {} }, now: io.now });
  const most = limit ?? (json ? listedAsJson : listed);
  const found = await audit.list({
    ...{ limit: most + 1, user, task },
    since: since === undefined ? undefined : io.now() - since,
  });
  const entries = found.slice(0, most);
  const hasMore = found.length > most;
  if (json) {
    const shown = { entries: entries.map(toJson), has_more: hasMore };
    io.print(JSON.stringify(mapTexts(shown, redact), null, 2));
    return 0;
  }
  const { audit: words } = texts;
  const isFiltered = [user, task, since].some((one) => one !== undefined);
  const lines = [
    ...(entries.length === 0 ? [isFiltered ? words.noneMatch : words.none] : []),
    ...(entries.length === 0 ? [] : formatTable(entries, { words, timeZone: loaded.config.time_zone })),
    ...(hasMore ? [words.more] : []),
  ];
  io.print(redact(lines.join('\n')));
  return 0;
}

function toJson({ at, ...entry }: AuditEntry) {
  return { at: new Date(at).toISOString(), ...entry };
}

/** Formats a table, whose last column, the reason, is not padded. */
function formatTable(
  entries: readonly AuditEntry[],
  { words, timeZone }: { readonly words: CliTexts['audit']; readonly timeZone: string },
): readonly string[] {
  const rows = entries.map(({ at, actor, via, action, target, run, outcome, reason }) => [
    formatTime(new Date(at), timeZone),
    ...[actor, words.sources[via], action, target ?? run?.slice(0, 8) ?? '-', words.outcomes[outcome]],
    reason ?? '',
  ]);
  const table = [[...words.headings], ...rows.map((row) => row.map(cleanLine))];
  const widths = words.headings.map((_, index) =>
    Math.max(...table.map((row) => columnsOf(row[index] ?? ''))),
  );
  return table.map((row) =>
    row
      .map((cell, index) => padColumns(cell, index === row.length - 1 ? 0 : (widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
