import type { RunTools } from '@agent/runner';
import type { TextWorker } from '@agent/text/worker';
import {
  type CommandRules,
  createFetchPageTool,
  createFileTools,
  createMergeBaseTool,
  createProcessTools,
  createRunCommand,
  createShellTool,
  encloseOutputs,
  isKeptIn,
  type MergeBaseOptions,
  type OpenedWorkspace,
} from '@agent/workspace';
import { mergeTools } from '@agent/workspace/mcp';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunCommands } from '../environment/open-commands.ts';
import { formatCommitMessage } from '../report/change-request.ts';
import type { Run } from '../run/run.ts';
import { createTextCleaner } from '../thread/text-guard.ts';
import { createPlatformTools } from './platform-tools.ts';

export interface TaskTools {
  readonly tools: RunTools;
  /** The same for the conversation: what they answer stands in the run's envelopes. */
  readonly enclosed: RunTools;
  /** Ends the processes that go on in the background. */
  readonly close: () => Promise<void>;
}

export interface TaskToolsOptions {
  readonly textWorker: TextWorker;
  /** Tools of the configured MCP servers, under names that begin with their server's. */
  readonly mcpTools: RunTools;
  readonly hideKnownSecrets: (text: string) => string;
  readonly run_command: Pick<RunSettings['tools']['run_command'], 'allow' | 'max_output_bytes'>;
}

export type OpenTaskTools = (
  run: Pick<Run, 'facts' | 'thread' | 'logger'>,
  at: {
    /** Null where there is no repository. */
    readonly files: {
      readonly workspace: Pick<OpenedWorkspace, 'path'> & MergeBaseOptions['workspace'];
      readonly commands: Pick<RunCommands, 'place' | 'environment'>;
    } | null;
    readonly nonce: string;
    /** Tools that read the run's own thread, their answers in envelopes. */
    readonly comments: RunTools;
    /** Tools of a round in which the run follows its change request; null outside of one. */
    readonly round: RunTools | null;
  },
) => TaskTools;

/**
 * Creates what opens everything that the model may do in one run: files of the worktree and commands, where there is a
 * repository; reading on the platform; the tools of MCP servers.
 */
export function createTaskTools({
  textWorker,
  mcpTools,
  hideKnownSecrets,
  run_command: settings,
}: TaskToolsOptions): OpenTaskTools {
  return ({ facts, thread, logger }, { files, nonce, comments, round }) => {
    const platformTools = {
      ...comments,
      ...createPlatformTools({
        platform: thread.platform.platform,
        thread: thread.ports,
        cleanText: createTextCleaner({ textWorker, logger }),
      }),
    };
    const withTools = (files: RunTools): Omit<TaskTools, 'close'> => {
      const others = { ...files, ...round };
      return {
        tools: mergeTools({ ...others, ...platformTools }, mcpTools),
        // What people wrote on other threads has its envelopes already.
        enclosed: mergeTools(
          { ...encloseOutputs(others, nonce), ...platformTools },
          encloseOutputs(mcpTools, nonce),
        ),
      };
    };
    if (files === null) return { ...withTools({}), close: async () => {} };
    const { workspace } = files;
    const { place, environment } = files.commands;
    const formatMessage = (paths: readonly string[]) => formatCommitMessage(facts, paths);
    const { timeoutMs } = environment;
    const rules: CommandRules = {
      allowedCommands: settings.allow,
      maxOutputBytes: settings.max_output_bytes,
      timeoutMs,
      maxTimeoutMs: timeoutMs,
    };
    const processes = createProcessTools(place, { rules });
    const { network, fetch: hosts } = environment;
    const mayBePrivate = typeof network === 'string' ? [] : network.private;
    const tools = withTools({
      ...createFileTools(workspace.path, { hideSecrets: hideKnownSecrets }),
      run_command: createRunCommand(place, rules),
      ...(environment.background ? processes.tools : {}),
      ...(environment.shell && isKeptIn(place) ? { run_shell: createShellTool(place, rules) } : {}),
      ...((environment.mergeBase ?? round !== null)
        ? { merge_base: createMergeBaseTool({ workspace, formatMessage }) }
        : {}),
      ...(hosts.length > 0
        ? {
            fetch_page: createFetchPageTool({
              ...{ allow: hosts, private: mayBePrivate, hideSecrets: hideKnownSecrets },
            }),
          }
        : {}),
    });
    return { ...tools, close: processes.close };
  };
}
