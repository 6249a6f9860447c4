export { findEnvironment } from './config/environment-schemas.ts';
export type { PathAction, PathRules } from './config/protection.ts';
export {
  type ReadRepositoryFile,
  readRepositoryFile,
  repositoryFileName,
} from './config/read-repository-file.ts';
export type { CheckedOutSubmodules, MissingSubmodule } from './contents/check-out-submodules.ts';
export type { FetchedLfsFiles, MissingLfsFile } from './contents/fetch-lfs-files.ts';
export type { SubmoduleRules } from './contents/submodule-address.ts';
export {
  applyEntry,
  type CheckPlan,
  type EnvironmentDefaults,
  narrowEnvironment,
  type RepositoryEnvironment,
  type SetupPlan,
} from './environment/choose-environment.ts';
export {
  type SetupOptions,
  type SetupResult,
  type SetupStep,
  setUpWorktree,
} from './environment/set-up-worktree.ts';
export {
  openSetupCache,
  removeOldSetups,
  type SetupCache,
  type SetupOwner,
} from './environment/setup-cache.ts';
export type { Environment, GitLogin } from './git/git-environment.ts';
export type { GitToken, GitTokenOptions } from './git/git-repository.ts';
export { type CheckSigningOptions, checkSigning } from './git/git-signing.ts';
export { askRemote } from './git/mirror.ts';
export type { EndedGitCommand, GitOperation, OnGitCommand } from './git/run-git.ts';
export { type OpenSigningKeyOptions, openSigningKey, type SigningKey } from './git/signing-key.ts';
export type { WorkspaceTask } from './git/workspace-task.ts';
export { createDirectoryPreparer } from './machine/directories.ts';
export { endCommandsOf } from './machine/end-processes.ts';
export {
  type CommandNetwork,
  type CommandNetworkOptions,
  openCommandNetwork,
} from './network/command-network.ts';
export { type SecretPlace, SecretsInChanges } from './outgoing/find-secrets.ts';
export { type Allowance, ChangesHeld, type HeldChange } from './outgoing/judge-push.ts';
export type { OutgoingChanges, OutgoingWork } from './outgoing/outgoing-changes.ts';
export { matchesPath } from './outgoing/path-patterns.ts';
export { protectedByDefault } from './outgoing/protected-paths.ts';
export { createGitRef, type GitRef, type GitRefOptions } from './refs/git-ref.ts';
export { type RemoveOldRefsOptions, removeOldRefs } from './refs/remove-old-refs.ts';
export {
  type CommandPlace,
  type CommandPlaceOptions,
  createCommandPlace,
  type PlacedCall,
  type PlacedProgram,
} from './tools/command-place.ts';
export { toFailure as commandFailure } from './tools/command-process.ts';
export type { RunTool, RunTools, ToolCallOptions } from './tools/define-tool.ts';
export { defineTool, encloseOutputs } from './tools/define-tool.ts';
export { createFetchPageTool, type FetchPageOptions } from './tools/fetch-page-tool.ts';
export { createFileTools } from './tools/file-tools.ts';
export { createMergeBaseTool, type MergeBaseOptions } from './tools/merge-base-tool.ts';
export type { PlacedProcess } from './tools/placed-process.ts';
export { createProcessTools, type ProcessTools } from './tools/process-tools.ts';
export { readRepositoryInstructions } from './tools/repository-instructions.ts';
export { type CommandRules, createCommandTool, createRunCommand } from './tools/run-command-tool.ts';
export { createShellTool, isKeptIn } from './tools/shell-tool.ts';
export { ToolError, WorkspaceError, type WorkspaceErrorCode } from './workspace-error.ts';
export {
  createGitWorkspaces,
  type GitWorkspaces,
} from './worktrees/git-workspaces.ts';
export type { BaseMerging, MergeResult } from './worktrees/merge-branch.ts';
export { removeEndedWork } from './worktrees/remove-ended-work.ts';
export type { OpenedWorkspace, TaskWorkspace } from './worktrees/task-workspace.ts';
export type { KeepWork, SnapshotStore } from './worktrees/work-keeper.ts';
export type { GitWorkspacesOptions, PushGate } from './worktrees/workspaces-options.ts';
