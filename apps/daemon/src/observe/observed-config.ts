import { join } from 'node:path';
import type { LoadedConfig } from '../config/load-config.ts';
import { toRunDirectories } from '../config/settings.ts';

/** Directory beside the runs that holds those of processes that only observe. */
const directoryName = 'observed';

/**
 * The same configuration for a process that only observes. Its runs are files in a directory of their own and its worktrees in another one, so that
 * no later run inherits anything of them. It does not wait for reviews of drafts that were not opened, and has no tools of MCP servers, which
 * could write elsewhere.
 */
export function toObservedConfig(loaded: LoadedConfig): LoadedConfig {
  const { config } = loaded;
  const { context_storage, pause_resume, workspaces, follow_up } = config;
  return {
    ...loaded,
    config: {
      ...config,
      storage: { ...config.storage, postgres: null },
      context_storage: { ...context_storage, base_dir: join(context_storage.base_dir, directoryName) },
      pause_resume: { ...pause_resume, paused_dir: null, signal_file: null },
      workspaces: { ...workspaces, base_dir: `${workspaces.base_dir.replace(/\/+$/, '')}-${directoryName}` },
      follow_up: follow_up && { ...follow_up, watch: false },
      mcp_servers: {},
    },
  };
}

/** Directories of the runs and worktrees that are not only observed: commands of the agent must not see them. */
export function listOtherDirectories(loaded: LoadedConfig): readonly string[] {
  const { contexts, paused, workspaces } = toRunDirectories(loaded);
  return [contexts, paused, workspaces];
}
