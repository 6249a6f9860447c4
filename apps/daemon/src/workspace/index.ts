export { createGitWorkspaces, type GitWorkspaces, type TaskWorkspace } from './git-workspaces.ts';
