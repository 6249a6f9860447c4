import type { RunTools } from '@agent/runner';
import type { TaskWorkspace } from '@agent/workspace';
import { createCommandTool, createFileTools, encloseOutputs } from '@agent/workspace';
import { mergeTools } from '@agent/workspace/mcp';
import { createTextCleaner } from '../inbox/create-text-cleaner.ts';
import { createPlatformTools } from '../tools/platform-tools.ts';
import type { ActiveRun, RunParts } from './run.ts';

export interface TaskTools {
  readonly tools: RunTools;
  /** The same for the conversation: what they answer stands in the run's envelopes. */
  readonly enclosed: RunTools;
  /** Removes what the tools keep outside the worktree. */
  readonly close: () => Promise<void>;
}

/**
 * Everything that the model may do in one run: files of the worktree and commands, where there is a repository; reading
 * on the platform; the tools of MCP servers.
 */
export function createTaskTools(
  parts: RunParts,
  run: ActiveRun,
  { workspace, nonce }: { readonly workspace: TaskWorkspace | null; readonly nonce: string },
): TaskTools {
  const platformTools = createPlatformTools({
    platform: run.platform.platform,
    thread: run.thread,
    cleanText: createTextCleaner({ ...parts, logger: run.logger }),
  });
  const withTools = (others: RunTools): Pick<TaskTools, 'tools' | 'enclosed'> => ({
    tools: mergeTools({ ...others, ...platformTools }, parts.mcpTools),
    // What people wrote on other threads has its envelopes already.
    enclosed: mergeTools(
      { ...encloseOutputs(others, nonce), ...platformTools },
      encloseOutputs(parts.mcpTools, nonce),
    ),
  });
  if (workspace === null) return { ...withTools({}), close: async () => {} };
  const { run_command: settings } = parts.config.tools;
  const { limits } = settings;
  const timeoutMs = settings.timeout_seconds * 1_000;
  const command = createCommandTool({
    workspacePath: workspace.path,
    gitDirectories: workspace.gitDirectories,
    homesDirectory: workspace.homesDirectory,
    owner: run.uuid,
    sandbox: parts.sandbox,
    allowedCommands: settings.allow,
    timeoutMs,
    maxTimeoutMs: timeoutMs,
    maxOutputBytes: settings.max_output_bytes,
    limits: {
      cpuSeconds: limits.cpu_seconds,
      memoryMb: limits.memory_mb,
      processes: limits.processes,
      fileSizeMb: limits.file_size_mb,
    },
  });
  return {
    ...withTools({ ...createFileTools(workspace.path), run_command: command.tool }),
    close: command.close,
  };
}
