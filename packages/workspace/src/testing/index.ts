export {
  findSandbox,
  isInstalled,
  listCommandLines,
  listEnvironments,
  sandboxed,
  startWorkspaceBed,
  type WorkspaceBed,
  withProgram,
} from './workspace-bed.ts';
