export { askRemote } from './git/ask-remote.ts';
export {
  createGitWorkspaces,
  type GitWorkspaces,
  type GitWorkspacesOptions,
  type PushGate,
  type TaskWorkspace,
} from './git/git-workspaces.ts';
export { createDirectoryPreparer } from './git/prepare-directory.ts';
export { type SecretPlace, SecretsInChanges } from './git/refuse-secrets.ts';
export { removeEndedWork } from './git/remove-ended-work.ts';
export type { WorkspaceTask } from './git/workspace-task.ts';
export type { Environment, RunTool, RunTools, ToolCallOptions } from './ports.ts';
export { defineTool, ToolError } from './tools/define-tool.ts';
export { encloseOutputs } from './tools/enclose-outputs.ts';
export { endCommandsOf } from './tools/end-leftovers.ts';
export { createFileTools } from './tools/file-tools.ts';
export { readRepositoryInstructions } from './tools/repository-instructions.ts';
export { createCommandTool } from './tools/run-command-tool.ts';
export { WorkspaceError, type WorkspaceErrorCode } from './workspace-error.ts';
