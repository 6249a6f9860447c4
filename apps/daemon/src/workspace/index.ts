export { askRemote } from './ask-remote.ts';
export {
  createGitWorkspaces,
  type GitWorkspaces,
  type TaskWorkspace,
} from './git-workspaces.ts';
export { createDirectoryPreparer } from './prepare-directory.ts';
export { type SecretPlace, SecretsInChanges } from './refuse-secrets.ts';
export { removeEndedWork } from './remove-ended-work.ts';
export type { WorkspaceTask } from './workspace-task.ts';
