import { createKnownMcpTools, createKnownRepositories } from '@agent/orchestrator';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { openDirectory } from '../open-directory.ts';

/** Options and arguments of the command line. */
export interface AcceptFlags {
  readonly config: string;
  /** `owner/name`, the path of a GitLab project, or a tool of an MCP server, such as `mcp:tracker/list`. */
  readonly repository: string;
}

/**
 * `agent-daemon accept`: lets tasks begin in a repository whose name another one had before, and runs use a tool that its MCP server changed. Works beside
 * daemons and without one.
 *
 * @throws CommandError if nothing was refused under this name
 */
export async function acceptCommand({ config, repository }: AcceptFlags, io: CommandIo): Promise<number> {
  const directory = await openDirectory({ config }, io);
  const { storage, texts } = directory;
  const isTool = repository.startsWith('mcp:');
  const known = isTool ? createKnownMcpTools(storage.notes) : createKnownRepositories(storage.notes);
  const name = cleanLine(repository);
  const act = async () => (await known.accept(repository)) > 0;
  if (await auditAct(directory, { action: 'accept', target: name }, { io, act })) {
    io.print(isTool ? texts.accept.acceptedTool(name) : texts.accept.accepted(name));
    return 0;
  }
  const refused = (await known.listRefused()).map(cleanLine);
  throw new CommandError(
    isTool ? texts.accept.toolNotRefused(name, refused) : texts.accept.notRefused(name, refused),
  );
}
