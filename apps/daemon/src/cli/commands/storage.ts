import type { RunStorage } from '@agent/run-store';
import { openStorage } from '../../config/open-storage.ts';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';

type PlaceKind = 'files' | 'postgres';

/** Options and arguments of the command line. */
export interface StorageFlags {
  readonly config: string;
  readonly action: string;
  readonly from?: PlaceKind | undefined;
  readonly to?: PlaceKind | undefined;
}

/**
 * `agent-daemon storage check` verifies everything that is stored; `storage migrate` copies all that is stored from files to the
 * configured database, or back.
 *
 * @returns the exit code: 1 if a record is damaged, or a run was skipped
 * @throws CommandError for invalid options; ContextStoreError if a daemon works at one of the places of a copy
 */
export async function storageCommand(
  { config, action, from, to }: StorageFlags,
  io: CommandIo,
): Promise<number> {
  const opened = await openDirectory({ config }, io);
  if (action === 'check' && from === undefined && to === undefined) return check(opened, io);
  if (action === 'migrate' && from !== undefined && to !== undefined && from !== to)
    return migrate(opened, { io, from, to });
  throw new CommandError(opened.texts.storage.usage);
}

async function check({ texts, redact, storage }: OpenedDirectory, io: CommandIo): Promise<number> {
  const { checkRuns } = await import('@agent/run-store/migration');
  const { listAuditFaults, listPictureFaults } = await import('@agent/orchestrator/watch');
  const counts = { checked: 0, damaged: 0 };
  const report = (name: string, faults: readonly string[]) => {
    if (faults.length > 0) counts.damaged += 1;
    for (const fault of faults) io.print(redact(`${name}  ${cleanLine(fault)}`));
  };
  for await (const { uuid, place, faults } of checkRuns(storage)) {
    counts.checked += 1;
    const pictures = faults.length > 0 ? [] : await listPictureFaults(storage, { uuid, place });
    report(`${uuid}  ${texts.storage.places[place]}`, [...faults, ...pictures]);
  }
  const beside = await storage.upkeep.verify();
  // A note that is not JSON is among the others.
  const audit = await listAuditFaults(storage);
  for (const fault of [...beside.faults, ...audit]) report(texts.storage.beside, [fault]);
  counts.checked += beside.checked;
  io.print(texts.storage.checked(counts, redact(storage.location)));
  return counts.damaged === 0 ? 0 : 1;
}

interface MigrateParts {
  readonly io: CommandIo;
  readonly from: PlaceKind;
  readonly to: PlaceKind;
}

async function migrate(
  { texts, redact, loaded, storage: database }: OpenedDirectory,
  { io, from, to }: MigrateParts,
): Promise<number> {
  if (database.sharing === null) throw new CommandError(texts.storage.noDatabase);
  const files = await openStorage(loaded, { ...io, isInFiles: true });
  const places: Readonly<Record<PlaceKind, RunStorage>> = { files, postgres: database };
  const { copyRuns } = await import('@agent/run-store/migration');
  // Written where the copy is: it replaces the log that is there.
  const audited = { storage: places[to], texts };
  const act = () => copyRuns({ from: places[from], to: places[to], now: io.now });
  const about = { action: 'storage-migrate', target: `${from} → ${to}` };
  const { left, ...counts } = await auditAct(audited, about, { io, act });
  for (const { name, reason } of left) io.print(redact(`${name}  ${cleanLine(reason)}`));
  io.print(texts.storage.copied({ ...counts, left: left.length }, redact(places[to].location)));
  if (counts.withoutSnapshot > 0) io.print(texts.storage.withoutSnapshot(counts.withoutSnapshot));
  return left.length === 0 ? 0 : 1;
}
