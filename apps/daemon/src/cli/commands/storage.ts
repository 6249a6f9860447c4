import { loadConfig } from '../../config/load-config.ts';
import { openStorage } from '../../config/open-storage.ts';
import { cleanLine } from '../../text/terminal-text.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { openDirectory } from '../open-directory.ts';

/** Options and arguments of the command line. */
export interface StorageFlags {
  readonly config: string;
  readonly action: string;
  readonly from?: 'files' | 'postgres' | undefined;
  readonly to?: 'files' | 'postgres' | undefined;
}

/**
 * `agent-daemon storage migrate`: copies all that is kept from files to the configured database, or back.
 *
 * @returns the exit code: 1 when a run was left as it is
 * @throws CommandError for what it cannot do; ContextStoreError when a daemon works at one of the places
 */
export async function storageCommand(
  { config, action, from, to }: StorageFlags,
  io: CommandIo,
): Promise<number> {
  const { texts, redact, storage: database } = await openDirectory(config, io);
  if (action !== 'migrate' || from === undefined || to === undefined || from === to)
    throw new CommandError(texts.storage.usage);
  if (database.sharing === null) throw new CommandError(texts.storage.noDatabase);
  const loaded = await loadConfig(config, io.environment);
  const files = await openStorage(loaded, { ...io, isInFiles: true });
  const places = { files, postgres: database };
  const { copyRuns } = await import('@agent/run-store/migration');
  const { left, ...counts } = await copyRuns({ from: places[from], to: places[to], now: io.now });
  for (const { name, reason } of left) io.print(redact(`${name}  ${cleanLine(reason)}`));
  io.print(texts.storage.copied({ ...counts, left: left.length }, redact(places[to].location)));
  if (counts.withoutSnapshot > 0) io.print(texts.storage.withoutSnapshot(counts.withoutSnapshot));
  return left.length === 0 ? 0 : 1;
}
