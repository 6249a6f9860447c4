export {
  findSandbox,
  listCommandLines,
  listEnvironments,
  sandboxed,
  startWorkspaceBed,
  type WorkspaceBed,
} from './workspace-bed.ts';
