export type { ChangedFile, ChangesSince, DiffStat } from './branch-changes.ts';
export {
  type ChangesQuery,
  createGitWorkspaces,
  type GitWorkspaces,
  type GitWorkspacesOptions,
  type TaskWorkspace,
} from './git-workspaces.ts';
export { WorkspaceError, type WorkspaceErrorCode } from './workspace-error.ts';
export type { WorkspaceTask } from './workspace-task.ts';
