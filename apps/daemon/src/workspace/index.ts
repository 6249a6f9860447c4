export { createGitWorkspaces, type GitWorkspaces, type TaskWorkspace } from './git-workspaces.ts';
export { createDirectoryPreparer } from './prepare-directory.ts';
export type { WorkspaceTask } from './workspace-task.ts';
