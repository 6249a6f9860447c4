import { createKnownRepositories } from '@agent/orchestrator';
import { cleanLine } from '../../text/terminal-text.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { openDirectory } from '../open-directory.ts';

/** Options and arguments of the command line. */
export interface AcceptFlags {
  readonly config: string;
  /** `owner/name`, or the path of a GitLab project. */
  readonly repository: string;
}

/**
 * `agent-daemon accept`: lets tasks begin in a repository whose name another one had before, beside daemons and without one.
 *
 * @throws CommandError where no repository was refused under this name
 */
export async function acceptCommand({ config, repository }: AcceptFlags, io: CommandIo): Promise<number> {
  const { storage, texts } = await openDirectory(config, io);
  const known = createKnownRepositories(storage.notes);
  if ((await known.accept(repository)) > 0) {
    io.print(texts.accept.accepted(cleanLine(repository)));
    return 0;
  }
  const refused = (await known.listRefused()).map(cleanLine);
  throw new CommandError(texts.accept.notRefused(cleanLine(repository), refused));
}
