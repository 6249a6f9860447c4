import type { RunTools } from '@agent/runner';
import type { TextWorker } from '@agent/text/worker';
import { createCommandTool, createFileTools, encloseOutputs, type TaskWorkspace } from '@agent/workspace';
import { mergeTools } from '@agent/workspace/mcp';
import type { CommandSandbox } from '@agent/workspace/sandbox';
import type { RunSettings } from '../config/run-settings.ts';
import { createTextCleaner } from '../inbox/text-guard.ts';
import type { Run } from '../run/run.ts';
import { createPlatformTools } from './platform-tools.ts';

export interface TaskTools {
  readonly tools: RunTools;
  /** The same for the conversation: what they answer stands in the run's envelopes. */
  readonly enclosed: RunTools;
  /** Removes what the tools keep outside the worktree. */
  readonly close: () => Promise<void>;
}

export interface TaskToolsOptions {
  readonly textWorker: TextWorker;
  readonly sandbox: CommandSandbox;
  /** Tools of the configured MCP servers, under names that begin with their server's. */
  readonly mcpTools: RunTools;
  readonly command: Pick<
    Parameters<typeof createCommandTool>[0],
    'allowedCommands' | 'timeoutMs' | 'maxOutputBytes' | 'limits'
  >;
}

export type OpenTaskTools = (
  run: Pick<Run, 'uuid' | 'thread' | 'logger'>,
  place: { readonly workspace: TaskWorkspace | null; readonly nonce: string },
) => TaskTools;

/**
 * Creates what opens everything that the model may do in one run: files of the worktree and commands, where there is a
 * repository; reading on the platform; the tools of MCP servers.
 */
export function createTaskTools({ textWorker, sandbox, mcpTools, command }: TaskToolsOptions): OpenTaskTools {
  return ({ uuid, thread, logger }, { workspace, nonce }) => {
    const platformTools = createPlatformTools({
      platform: thread.platform.platform,
      thread: thread.ports,
      cleanText: createTextCleaner({ textWorker, logger }),
    });
    const withTools = (others: RunTools): Pick<TaskTools, 'tools' | 'enclosed'> => ({
      tools: mergeTools({ ...others, ...platformTools }, mcpTools),
      // What people wrote on other threads has its envelopes already.
      enclosed: mergeTools(
        { ...encloseOutputs(others, nonce), ...platformTools },
        encloseOutputs(mcpTools, nonce),
      ),
    });
    if (workspace === null) return { ...withTools({}), close: async () => {} };
    const commandTool = createCommandTool({
      ...command,
      workspacePath: workspace.path,
      gitDirectories: workspace.gitDirectories,
      homesDirectory: workspace.homesDirectory,
      owner: uuid,
      sandbox,
      maxTimeoutMs: command.timeoutMs,
    });
    return {
      ...withTools({ ...createFileTools(workspace.path), run_command: commandTool.tool }),
      close: commandTool.close,
    };
  };
}

/** Converts the settings of commands. */
export function toCommandLimits({
  allow,
  timeout_seconds,
  max_output_bytes,
  limits,
}: RunSettings['tools']['run_command']) {
  return {
    allowedCommands: allow,
    timeoutMs: timeout_seconds * 1_000,
    maxOutputBytes: max_output_bytes,
    limits: {
      cpuSeconds: limits.cpu_seconds,
      memoryMb: limits.memory_mb,
      processes: limits.processes,
      fileSizeMb: limits.file_size_mb,
    },
  };
}
