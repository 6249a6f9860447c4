import type { RunTools } from '@agent/runner';
import { createFileTools } from './file-tools.ts';
import { createPlatformTools, type PlatformToolsOptions } from './platform-tools.ts';
import { type CommandToolOptions, createCommandTool } from './run-command-tool.ts';

export interface TaskToolsOptions extends CommandToolOptions {
  /** Null for a run without a platform to read from. */
  readonly platform: PlatformToolsOptions | null;
}

export interface TaskTools {
  readonly tools: RunTools;
  /** Removes what the tools kept for themselves. Call it when the run has ended. */
  readonly close: () => Promise<void>;
}

/** Every tool that a task's model gets: files, commands, and the platform to read. */
export function createTaskTools(options: TaskToolsOptions): TaskTools {
  const command = createCommandTool(options);
  return {
    tools: {
      ...createFileTools(options.workspacePath),
      run_command: command.tool,
      ...(options.platform === null ? {} : createPlatformTools(options.platform)),
    },
    close: command.close,
  };
}
